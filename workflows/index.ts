// Entry of the workflow bundle: the exports are the workflow types. Modules are evaluated anew for each execution, so each loads only its own.
import type * as DatasetMap from './dataset-map';
import type * as ExportMap from './export-map';
import type * as MapPage from './map-page';
import type * as MapRow from './map-row';
import type * as MapSection from './map-section';
import type * as ProviderGate from './provider-gate';
import type * as SettledCall from './settled-call';
import type * as SharedCall from './shared-call';

export const datasetMap: typeof DatasetMap.datasetMap = (spec) =>
  (require('./dataset-map') as typeof DatasetMap).datasetMap(spec);

export const exportMap: typeof ExportMap.exportMap = (request) =>
  (require('./export-map') as typeof ExportMap).exportMap(request);

export const mapSection: typeof MapSection.mapSection = (input) =>
  (require('./map-section') as typeof MapSection).mapSection(input);

export const mapPage: typeof MapPage.mapPage = (input) => (require('./map-page') as typeof MapPage).mapPage(input);

export const mapRow: typeof MapRow.mapRow = (input) => (require('./map-row') as typeof MapRow).mapRow(input);

export const providerGate: typeof ProviderGate.providerGate = (run) =>
  (require('./provider-gate') as typeof ProviderGate).providerGate(run);

export const sharedCall: typeof SharedCall.sharedCall = (input) =>
  (require('./shared-call') as typeof SharedCall).sharedCall(input);

export const settledCall: typeof SettledCall.settledCall = (input) =>
  (require('./settled-call') as typeof SettledCall).settledCall(input);
