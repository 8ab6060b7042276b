// Entry of this folder: spools a dataset, reads it strictly, fixes identities and counts, and hands out pages of rows.
import { PAGE_BYTES, PAGE_ROWS, READ_CHUNK_BYTES, ROW_INPUT_BYTES } from '../../contracts/limits';
import type { AdmitDatasetRequest, AdmittedDataset } from './admission-types';
import { admitRows } from './admit-rows';
import { DatasetError } from './dataset-error';
import { checkKeyColumns } from './key-columns';
import { openDataset, sourceName } from './open-dataset';
import { Pager } from './pager';
import { RejectsFile } from './rejects-file';
import { resolveOptions } from './resolve-options';

/**
 * Admits a dataset. Nothing of it is held but two pages, one record and about 40 bytes for each key.
 * Pages may have been given before a DatasetError is thrown: they count only when this returns.
 */
export async function admitDataset(request: AdmitDatasetRequest): Promise<AdmittedDataset> {
  try {
    return await admit(request);
  } catch (error) {
    if (!(error instanceof DatasetError) || error.at.source !== undefined) throw error;
    const at = { ...error.at, source: sourceName(request.dataset) };
    throw new DatasetError(error.code, error.scope, error.message, at, { cause: error });
  }
}

async function admit(request: AdmitDatasetRequest): Promise<AdmittedDataset> {
  const { sizes = {}, folder, onPage } = request;
  const options = resolveOptions(request.dataset);
  const dataset = await openDataset(request, options, sizes.chunkBytes ?? READ_CHUNK_BYTES);
  const { reader, spool, sourcePaths } = dataset;
  if (options.key && reader.header) checkKeyColumns(options.key, reader.header, reader.headerLine);
  const pageLimits = { pageRows: sizes.pageRows ?? PAGE_ROWS, pageBytes: sizes.pageBytes ?? PAGE_BYTES };
  const pager = new Pager(pageLimits, onPage);
  const rejects = new RejectsFile(folder, options.maxRejects, request.isTrial);
  try {
    const rowBytes = sizes.rowBytes ?? ROW_INPUT_BYTES;
    const limitRows = request.limitRows ?? Number.POSITIVE_INFINITY;
    const rows = await admitRows({ reader, options, pager, rejects, rowBytes, limitRows });
    const rejectsPath = await rejects.finish();
    const warnings = [...dataset.warnings, ...rows.warnings, ...(await dataset.compare())];
    return { ...rows, warnings, pageRows: pager.pageRows, spool, sourcePaths, rejectsPath };
  } finally {
    await pager.settle();
    await rejects.abort();
  }
}
