// Signals and queries as the SDK wants them; their names and payloads are in contracts/.
import { defineQuery, defineSignal } from '@temporalio/workflow';
import {
  CALL_SIGNAL,
  CONTROL_SIGNAL,
  INTERNAL_SIGNAL,
  QUERY,
  type SetCaps,
  type SetConcurrency,
} from '../contracts/names';
import type {
  MapProgress,
  OpenRow,
  PageProgress,
  PageReport,
  PauseOrder,
  Room,
  RowHolds,
  SectionProgress,
} from '../contracts/results';
import type { CallAnswer, Leaver, Waiter } from '../contracts/shared-call';

export const cancelSignal = defineSignal(CONTROL_SIGNAL.cancel);
export const pauseSignal = defineSignal(CONTROL_SIGNAL.pause);
export const resumeSignal = defineSignal(CONTROL_SIGNAL.resume);
export const setConcurrencySignal = defineSignal<[SetConcurrency]>(CONTROL_SIGNAL.setConcurrency);
export const setCapsSignal = defineSignal<[SetCaps]>(CONTROL_SIGNAL.setCaps);

export const setRoomSignal = defineSignal<[Room]>(INTERNAL_SIGNAL.setRoom);
export const setPausedSignal = defineSignal<[PauseOrder]>(INTERNAL_SIGNAL.setPaused);
export const pageReportSignal = defineSignal<[PageReport]>(INTERNAL_SIGNAL.pageReport);

export const attachSignal = defineSignal<[Waiter]>(CALL_SIGNAL.attach);
export const detachSignal = defineSignal<[Leaver]>(CALL_SIGNAL.detach);
export const answerSignal = defineSignal<[CallAnswer]>(CALL_SIGNAL.answer);

export const mapProgressQuery = defineQuery<MapProgress>(QUERY.progress);
export const sectionProgressQuery = defineQuery<SectionProgress>(QUERY.progress);
export const pageProgressQuery = defineQuery<PageProgress>(QUERY.progress);
export const pageHoldsQuery = defineQuery<OpenRow[]>(QUERY.holds);
export const rowHoldsQuery = defineQuery<RowHolds>(QUERY.holds);
