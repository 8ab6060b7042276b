// Prints, as JSON, the local time zone, the number of cases and what differs from the table: run in a process of its own, one for each time zone.
import { answerCases, differences } from './case-table';

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
console.log(JSON.stringify({ zone, cases: answerCases.length, differences: answerCases.flatMap(differences) }));
