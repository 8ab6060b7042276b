// The TypeScript maps of this worker: one import a map.
import './cheapest-first';
import './verified-email';
