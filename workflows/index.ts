// Entry of the workflow bundle: the exports are the workflow types.
export { datasetMap } from './dataset-map';
export { mapPage } from './map-page';
export { mapRow } from './map-row';
