// Every tuning number with its unit and its reason. Nothing else in the tree may hold one: the file is long so that there is one place to look.

const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

// --- Sizes: Temporal refuses payloads over 2 MiB and gRPC messages over 4 MiB ---
/** Rows of one page; a page's history stays near 2,000 events. */
export const PAGE_ROWS = 250;
/** Pages that one workflow drives: a map of more has sections of so many, so that no history grows with the dataset. */
export const SECTION_PAGES = 200;
/** Times that a section tells its map of its progress, beyond what room and caps need. */
export const SECTION_REPORTS = 20;
/** JSON bytes of one page, one activity result. */
export const PAGE_BYTES = 1 * MIB;
/** JSON bytes of one row's input; 250 KiB rows still travel, 4 to a page. */
export const ROW_INPUT_BYTES = 256 * KIB;
/** A row outcome above this goes to the run store and travels as a reference: 250 of them must fit one page's history. */
export const ROW_RESULT_BYTES = 32 * KIB;
/** Characters of JSON that fit into one payload however they are written in UTF-8: of a row's outcome, one of its cells, the input of a call. */
export const PAYLOAD_CHARACTERS = 512 * KIB;
/** A provider answer above this goes to the run store and travels as a reference. */
export const ANSWER_INLINE_BYTES = 256 * KIB;
/** A provider answer above this is refused with RESPONSE_TOO_LARGE. */
export const ANSWER_BYTES = 16 * MIB;
/** Bytes of a refusal's body that are read to classify it (rules/rate-limits 2). */
export const BODY_PREFIX_BYTES = 64 * KIB;
/** JSON bytes of one flush, one activity input. */
export const FLUSH_BYTES = 512 * KIB;
/** Rows that make a page flush before its timer. */
export const FLUSH_ROWS = 50;
/** JSON bytes of a plan; every row carries one. */
export const PLAN_BYTES = 64 * KIB;
/** Children or signals of one workflow task: 2,100 signals in one task fail it for ever. */
export const START_BATCH_ROWS = 100;
/** JSON bytes of the children started in one workflow task: commands over 4 MiB fail it for ever. */
export const START_BATCH_BYTES = 1 * MIB;
/** Levels of a JSON value. */
export const JSON_DEPTH = 128;

// --- Concurrency ---
export const DEFAULT_CONCURRENCY_ROWS = 200;
export const MAX_CONCURRENCY_ROWS = 2000;
export const DEFAULT_PARKED_ROWS = 5000;
export const MAX_PARKED_ROWS = 20_000;
/** Pages open at once: pending children and history of the map stay bounded whatever the row limits say. */
export const MAX_OPEN_PAGES = 100;

// --- Time ---
/** A row open for longer than this counts as parked. */
export const PARKED_AFTER_MS = 30 * SECOND;
/** A page looks for rows to park at most this often: its timers cost history. */
export const PARK_EVERY_MS = 5 * SECOND;
/** Finished rows lie in a page's memory for at most this long before they are flushed. */
export const FLUSH_AFTER_MS = 10 * SECOND;
/** Waits of a call that fit in here stay inside the activity (rule 4). */
export const RESIDENT_BUDGET_MS = 5 * SECOND;
/** A waiting or sending activity reports itself this often: cancellation arrives with the answer. */
export const HEARTBEAT_EVERY_MS = 2 * SECOND;
/** A worker that is silent for this long is lost. */
export const HEARTBEAT_TIMEOUT_MS = 30 * SECOND;
/** Time that sent priced or writing calls get to end after a cancel. */
export const CANCEL_GRACE_MS = 30 * SECOND;
export const MAX_CANCEL_GRACE_MS = 10 * MINUTE;
/** One request, connect to last body byte. */
export const DEFAULT_TOOL_TIMEOUT_MS = 30 * SECOND;
export const MAX_TOOL_TIMEOUT_MS = 1 * HOUR;
/** Added to the longest tool time-out for the grace of a worker's shutdown. */
export const SHUTDOWN_MARGIN_MS = 10 * SECOND;
/** Longest hold; beyond it the call ends with RATE_LIMIT_WAIT_TOO_LONG and keeps its instant. */
export const MAX_HOLD_MS = 24 * HOUR;

// --- Jobs ---
/** Shortest time between two polls, and shortest deadline. */
export const MIN_JOB_MS = 1 * SECOND;
/** Between two polls of a job, unless its provider file says otherwise. */
export const JOB_POLL_EVERY_MS = 10 * SECOND;
export const MAX_JOB_POLL_EVERY_MS = 24 * HOUR;
/** From a job's start to its last poll, unless its provider file says otherwise. */
export const JOB_DEADLINE_MS = 24 * HOUR;
export const MAX_JOB_DEADLINE_MS = 30 * 24 * HOUR;
/** How often a row asks after its job before the deadline, at most: a row's history must not grow with the patience of its job. */
export const JOINS_OF_JOB = 500;
/** A poll that waits in its provider's queue gets at least this long, however near the deadline is. */
export const LAST_POLL_MS = 1 * SECOND;

// --- Shared calls ---
/** A row that has heard nothing of its shared call for this long joins again: somebody may have ended the call by hand. */
export const JOIN_AGAIN_MS = 5 * MINUTE;
/** Rows told in one workflow task, and bytes of JSON told in it: commands over 4 MiB fail the task for ever. */
export const TELL_ROWS = 100;
export const TELL_BYTES = 1 * MIB;
/** A shared call continues as new after so many joins while it rests, and takes back what was not sent after so many: one run takes 10,000 signals. */
export const HAND_ON_JOINS = 500;
export const HAND_ON_JOINS_UNDER_WAY = 5000;
/** JSON of a shared call that is handed on: one payload, with room for its frame. That is some 10,000 rows; others join again and find the next run, or its receipt. */
export const HAND_ON_BYTES = 2 * MIB - 64 * KIB;

/** Keys of `force`: every row carries their identities. */
export const MAX_FORCED_ROWS = 500;

// --- Requests ---
/** Establishing a connection; a server that is slower than this is as good as down. */
export const PROVIDER_CONNECT_TIMEOUT_MS = 10 * SECOND;
/** A socket without a request is closed after this, before most servers do it themselves. */
export const KEEP_ALIVE_MS = 4 * SECOND;
/** Time the rest of a refusal's body gets before its socket is given up. */
export const DRAIN_MS = 2 * SECOND;
/** Redirects of one request. */
export const REDIRECT_HOPS = 5;

// --- Reading answers (when the next request may leave) ---
/** A wait of zero, or one that has passed, becomes at least this: many rows would spin otherwise. */
export const ZERO_FLOOR_MS = 1 * SECOND;
/** First wait after a throttle answer that names none; doubles with each one in a row. */
export const THROTTLE_BASE_MS = 1 * SECOND;
export const THROTTLE_CAP_MS = 5 * MINUTE;
/** Floor of a wait from the second throttle in a row; doubles with each. */
export const SUBSECOND_FLOOR_MS = 100;
export const SUBSECOND_FLOOR_CAP_MS = 60 * SECOND;
/** Backoff after a transient failure: half of it fixed, half drawn; doubles with each attempt. */
export const TRANSIENT_BASE_MS = 1 * SECOND;
export const TRANSIENT_CAP_MS = 60 * SECOND;
/** A quota whose reset nobody names is asked again after a wait drawn from here. */
export const QUOTA_PROBE_MIN_MS = 15 * MINUTE;
export const QUOTA_PROBE_MAX_MS = 60 * MINUTE;
/** Jitter is a fifth of the wait, at least 2 s, at most 30 s, and always added. */
export const JITTER_SHARE = 0.2;
export const JITTER_MIN_MS = 2 * SECOND;
export const JITTER_MAX_MS = 30 * SECOND;
/** Two hints nearer than this are one value, rounded differently. */
export const HINT_ROUNDING_MS = 1 * SECOND;
/** A number read as an instant further ahead than this was meant as a number of seconds. */
export const INSTANT_HORIZON_MS = 400 * 24 * HOUR;
/** The last second of the year 9999: no wait is taken to be longer. Jitter and the difference of two clocks still fit into a Date. */
export const LATEST_INSTANT_MS = 253_402_300_799_000;

// --- Budgets (rule 8) ---
/** Requests of one call that may fail by transport or 5xx. */
export const TRANSIENT_ATTEMPTS = 5;
/** Throttle answers in a row of one call. */
export const MAX_THROTTLES = 50;
/** Wait when a code tool throws, or is throttled without a time. */
export const THROTTLE_FALLBACK_MS = 1 * SECOND;
/** A provider account without any success for this long is exhausted (rule 9). */
export const GIVE_UP_AFTER_MS = 24 * HOUR;

// --- Provider gates ---
/** Slots of an account that declares no concurrency, and of an exhausted one, whose calls end without being sent. */
export const MAX_SLOTS = 200;
/** Slots are given for the calls that every window admits this soon: then a wait for pacing fits into the resident budget. */
export const SLOT_HORIZON_MS = RESIDENT_BUDGET_MS;
/** A provider's window is kept longer by this part of it, since two requests may arrive closer together than they left. */
export const WINDOW_SAFETY = 0.01;
/** Calls of a short window are spread over the window and this part more; what exceeds WINDOW_SAFETY absorbs late timers. At least 98 % of a limit stays usable. */
export const EVEN_SAFETY = 0.02;
/** A request may reach its provider this much later than the fastest one did; what its answer took longer bounds it further. */
export const MAX_ARRIVAL_DELAY_MS = 40;
/** As many first answers of an account tell nothing yet about the usual round trip: connections are being opened. */
export const COLD_ANSWERS = 10;
/** Either safety of a long window: no network delays one request by more against another. */
export const MAX_WINDOW_SAFETY_MS = 1 * SECOND;
/** Calls of windows up to this length are spread evenly; a longer window may be used up in one go. */
export const EVEN_WINDOW_MS = 10 * SECOND;
/** Part of an evenly used window by which calls may catch up after a late timer or an idle moment; the window itself still holds. */
export const CATCH_UP = 0.1;
/** Sent calls remembered one by one for each window; of larger limits neighbours in time are remembered together. */
export const WINDOW_ENTRIES = 5000;
/** A call that found no permit in time asks again no sooner. */
export const PACING_RETRY_MS = 1 * SECOND;
/** Pause after a sending mark that the server did not take, on top of the SDK's own retries of about 10 s. */
export const MARK_RETRY_MS = 1 * SECOND;
/** A worker that the server does not hear sends nothing after this long; then its share is free for the others. */
export const LEASE_TTL_MS = 10 * SECOND;
/** Below this a busy server lets leases end, above it a lost worker's share lies idle for long. */
export const MIN_LEASE_TTL_MS = 3 * SECOND;
export const MAX_LEASE_TTL_MS = 1 * MINUTE;
/** A lease is renewed this many times in its time, so that two renewals may be lost. */
export const RENEWALS_PER_LEASE = 3;
/** Windows up to this length are divided in parts, and a part moves to another worker after one window; units of longer ones are counted. */
export const PART_WINDOW_MS = 10 * SECOND;
/** Added when a part moves: requests of two workers may arrive closer together than they left. */
export const PART_MARGIN_MS = 250;
/** Units of a long window that one lease counts out: this part of the window, or twice what fits into the lease's time, but at least so many. What a lost worker had counts as used. */
export const ALLOWANCE_SHARE = 0.05;
export const ALLOWANCE_UNITS = 10;
/** Entries in which a gate remembers the units of a long window: what is counted too long is one part of so many. */
export const ALLOWANCE_ENTRIES = 100;
/** Requests for a lease that a gate keeps back at the same time; a server takes no more than 10 updates of one workflow at once. */
export const KEPT_LEASE_REQUESTS = 6;
/** Polls of a worker that holds no lease: the first call that comes asks for one, and only so many have to wait. */
export const IDLE_SLOTS = 5;
/** A gate that nobody used for this long gives its lease back. */
export const IDLE_AFTER_MS = 10 * SECOND;
/** Pause between two requests for a lease when the server does not answer. */
export const LEASE_RETRY_MS = 500;
/** Pause between two requests for a lease whose answers had news, so that workers that join together do not keep each other busy. */
export const LEASE_REST_MS = 200;
/** A request for a lease is given up after this long, on top of the time that the gate may keep it back. */
export const LEASE_ANSWER_WITHIN_MS = 10 * SECOND;
/** A worker that ends waits this long for the server to take its leases back; what it does not hear ends by itself. */
export const STOP_LEASES_WITHIN_MS = 2 * SECOND;
/** Closed endpoints that a gate remembers: more than a provider has. Beyond them the one that opens first is forgotten. */
export const GATE_ENDPOINTS = 100;
/** Longest name of an endpoint that a gate takes. */
export const ENDPOINT_CHARACTERS = 200;
/** Two closings whose ends are nearer than this are one: the way to the gate and back takes time. */
export const SAME_CLOSING_MS = 500;
/** A rest that a success asks for is told to the other workers from this length on: shorter ones come with every window that is used up. */
export const TOLD_REST_MS = 5 * SECOND;
/** So many refusals that the limits in force do not explain, each after a success, and limits are learned: one alone may be an outage. */
export const LEARN_AFTER_REFUSALS = 3;
/** A refusal longer ago than this does not count with later ones. */
export const LEARN_FORGET_MS = 2 * MINUTE;
/** Of declared limits something else is learned on clear evidence alone: so many refusals, each soon after the account was open again. Late requests are refused too, but seldom. */
export const LEARN_BELOW_DECLARED_AFTER = 5;
export const LEARN_BELOW_DECLARED_WITHIN_MS = 20 * SECOND;
/** Without a refusal for this long what is below a declared limit is raised even if nobody uses it up. */
export const LEARN_TRUST_AGAIN_MS = 10 * MINUTE;
/** A refusal for longer than this is a quota or an outage, and says nothing about calls a second. */
export const LEARN_CLOSED_MS = 1 * MINUTE;
/** What was learned is looked at this often: a lease is renewed about as often. */
export const LEARN_EVERY_MS = 2 * SECOND;
/** Of an estimate at a refusal: the rest is within 10 % of the limit that was met. */
export const LEARN_CUT = 0.96;
export const LEARN_DEEPEST_CUT = 0.7;
/** Step towards the last refusal, of what is missing to it; each new refusal costs a closing. */
export const LEARN_STEP_TOWARDS = 0.125;
/** First step beyond the last refusal, doubled with each, up to the largest. */
export const LEARN_LEAST_STEP = 0.005;
export const LEARN_LARGEST_STEP = 0.5;
/** Part of an estimate from which on it counts as used up: late timers and round trips leave a rest. */
export const LEARN_USED = 0.75;
/** From this part on it is raised: what a limit on calls at the same time holds back is no sign of room. */
export const LEARN_RAISED_FROM = 0.92;
/** First estimate of calls at the same time, of what was seen: a refusal for calls a second finds few under way. */
export const LEARN_CONCURRENCY_ROOM = 2;
export const LEARN_LEAST_PER_SECOND = 0.1;
/** From so many calls a second for each worker a learned rate is divided in whole calls a second. */
export const LEARN_WHOLE_FROM = 2;
/** Window in which a lower one is kept; longer for rates below two a second. */
export const LEARN_WINDOW_MS = 500;
/** Calls of this last time before a refused one tell at which rate it was refused. */
export const LOAD_WINDOW_MS = 1 * SECOND;
/** Workflow tasks of a worker that has died go to the others after this long. A lease must outlive it. */
export const STICKY_QUEUE_MS = 5 * SECOND;
/** Longest single timer: clock steps, suspends and the 2^31 ms limit are met by looking again. */
export const TIMER_CHUNK_MS = 1 * MINUTE;

// --- Command line: what a person waits for ---
/** Time to reach the server before it counts as unreachable. */
export const CONNECT_TIMEOUT_MS = 5 * SECOND;
/** One query; without a worker it would hang, and a screen that refreshes each second should say so soon. */
export const QUERY_TIMEOUT_MS = 5 * SECOND;
/** `start` looks this long for the end of admission, a control verb for the state it asked for. */
export const CONFIRM_WITHIN_MS = 8 * SECOND;
export const CONFIRM_POLL_MS = 200;
export const WATCH_REFRESH_MS = 1 * SECOND;
/** Without a terminal a line is printed at a change, and without one only this often, as a sign of life. */
export const WATCH_LINE_EVERY_MS = 30 * SECOND;
/** Rows per second are measured over this window, and a rest time is said only with half of it seen. */
export const RATE_WINDOW_MS = 10 * SECOND;
/** Rows open for longer than this are asked what they wait for: younger ones are mostly being sent. */
export const ASK_ROW_AFTER_MS = 3 * SECOND;
/** Rows asked in one refresh: a query costs the worker about as much as a workflow task. */
export const ASK_ROWS_PER_TICK = 50;
/** Rows and shared calls that are looked at for an activity that fails, each time that is done. */
export const ASK_SUSPECTS = 20;
/** No row is asked after this long in one refresh: a busy worker shall run rows, not tell about them. */
export const ASK_ROWS_WITHIN_MS = 500;
/** What a row said about a call in the queue holds good for this long; a hold holds good until its instant. */
export const ROW_ANSWER_FRESH_MS = 10 * SECOND;
/** Open pages asked in one refresh; with more than that the sums of their last reports are shown. */
export const ASK_PAGES_PER_TICK = 25;
/** Queries in flight at once. */
export const QUERY_CONCURRENCY = 5;
/** The list of live workers is read this often. */
export const POLLERS_EVERY_MS = 5 * SECOND;
/** `watch` outlives a restart of the server, and gives up after this long without it. */
export const WATCH_GIVE_UP_MS = 1 * MINUTE;
/** A live worker polls anew at least once a minute: a poller silent for longer than this is gone. */
export const POLLER_STALE_MS = 75 * SECOND;
/** Maps that `list` shows, each of which is asked. */
export const LIST_MAPS = 20;
export const MAX_LIST_MAPS = 200;
/** Calls of `doctor`'s look at fair share: behind 100 calls in four partitions none of the 8 later ones is among the next 12, unless the server is fair. */
export const PROBE_LARGE_CALLS = 120;
export const PROBE_FIRST_POLLS = 20;
export const PROBE_SMALL_CALLS = 8;
export const PROBE_POLLS = 12;
export const PROBE_TIMEOUT_MS = 10 * SECOND;
/** Gates that `gate list` and errors show. */
export const SHOWN_GATES = 200;
/** Open maps whose providers `doctor` looks at. */
export const DOCTOR_MAPS = 20;
/** Receipts live as long as the namespace keeps closed workflows; below this `doctor` warns. */
export const ADVISED_RETENTION_MS = 30 * 24 * HOUR;

/** Events that `explain` reads of one history, and of one message: a few large answers already make a larger one too big. */
export const HISTORY_EVENTS = 20_000;
export const HISTORY_PAGE_EVENTS = 10;
/** Steps of one call that `explain` shows: the first and the last ones. */
export const SHOWN_STEPS = 40;
/** Calls of a row that it shows as text. */
export const SHOWN_CALLS = 50;
/** Unknown calls that `unknown list` shows. */
export const SHOWN_UNKNOWN = 500;

// --- Activities of the main task queue ---
/** Flushes, pages and free code tools that run at the same time in one worker. */
export const MAIN_ACTIVITY_SLOTS = 100;
/** One admission, page, flush or finish; admissions of large files beat while they work. */
export const LOCAL_ACTIVITY_TIMEOUT_MS = 6 * HOUR;
/** Pause between two tries to store a paid answer that is too large for history. */
export const STORE_RETRY_MS = 2 * SECOND;
/** A call whose worker lacks the map's run store, the tool or its version is offered again after this long, to whichever worker takes it. */
export const OTHER_WORKER_MS = 10 * SECOND;
/** Longest such wait, each of which is twice the one before: about 3,000 events of history a day. */
export const OTHER_WORKER_MAX_MS = 5 * MINUTE;
/** Longest pause between two tries of a store that is away or a disk that is full. */
export const STORE_RETRY_MAX_MS = 30 * SECOND;

// --- PostgreSQL: run store, datasets, tables ---
/** Connections of one worker to one database; its activities wait for each other beyond that. */
export const POSTGRES_CONNECTIONS = 10;
/** Rows of one query of a Postgres dataset, and the most that a spec may ask for. */
export const QUERY_PAGE_ROWS = 5000;
export const MAX_QUERY_PAGE_ROWS = 100_000;
export const POSTGRES_CONNECT_MS = 10 * SECOND;
/** A silent connection is probed after this long: the two hours that systems wait would hold a map that long after its database was cut off. */
export const POSTGRES_KEEP_ALIVE_MS = 10 * SECOND;
/** A query without an answer after this long has lost its connection: the activity tries again. */
export const POSTGRES_QUERY_MS = 5 * MINUTE;

// --- Reading datasets: every limit is counted while streaming ---
/** Bytes of one CSV field: what a quote that is never closed may cost. */
export const MAX_FIELD_BYTES = 16 * MIB;
/** Bytes of one record of a dataset. */
export const MAX_RECORD_BYTES = 32 * MIB;
/** Bytes of a source as it lies on the disk. */
export const MAX_SOURCE_BYTES = 4 * KIB * MIB;
/** A server of a dataset that sends nothing for this long is given up. */
export const SOURCE_SILENCE_MS = 1 * MINUTE;
/** Bytes of a source after gzip. */
export const MAX_DECOMPRESSED_BYTES = 16 * KIB * MIB;
/** Decompressed bytes for one compressed byte; real tables stay below 100, a bomb comes near 1,000. */
export const MAX_DECOMPRESSION_RATIO = 200;
/** The ratio is looked at above this size, since small repetitive tables are harmless. */
export const DECOMPRESSION_RATIO_FROM_BYTES = 64 * MIB;
/** Bytes read from or written to a file at once. */
export const FILE_CHUNK_BYTES = 256 * KIB;
/** Bytes of a dataset read at once: so few that they are garbage while they are young. Of 256 KiB a worker needs 60 MB more. */
export const READ_CHUNK_BYTES = 16 * KIB;
/** Records that may be set aside before a dataset is refused. */
export const MAX_REJECTS = 1000;
/** Bytes of a rejected record that the rejects file shows. */
export const REJECT_RAW_BYTES = 4 * KIB;
/** Examples that one dataset warning names; the rest is a number. */
export const WARNING_EXAMPLES = 20;

// --- Specs and provider files ---
/** Columns of one spec: the plan carries them all and stays under PLAN_BYTES. */
export const MAX_COLUMNS = 100;
/** Legs of one waterfall. */
export const MAX_LEGS = 20;
/** Requests of one rate window; more than anybody sends, small enough to count exactly. */
export const MAX_WINDOW_REQUESTS = 1_000_000_000;
/** Shortest window of another unit than requests: its units are counted out with the leases of the workers, which are renewed every few seconds. */
export const MIN_UNIT_WINDOW_MS = 1 * MINUTE;
/** Longest rate window: a year and some. */
export const MAX_WINDOW_MS = 400 * 24 * HOUR;
/** Requests under way at one provider account; each holds a socket of the worker. */
export const MAX_PROVIDER_CONCURRENCY = 10_000;
/** Bounds of `giveUpAfter`. */
export const MIN_GIVE_UP_AFTER_MS = 1 * SECOND;
export const MAX_GIVE_UP_AFTER_MS = 30 * 24 * HOUR;
/** One JSONata expression in a process of its own; then the process is ended. */
export const EXPRESSION_TIMEOUT_MS = 2 * SECOND;
/** An expression that ran out of time gets half of it the next time, but never less than this. */
export const EXPRESSION_LEAST_TIME_MS = 50;
/** Memory of a process that evaluates expressions. */
export const EXPRESSION_MEMORY_MIB = 128;
/** Processes of a worker that evaluate expressions: two, so that one bad expression does not hold up all others. */
export const EXPRESSION_PROCESSES = 2;
/** One evaluation with its wait for a process. */
export const EVALUATE_WITHIN_MS = 10 * MINUTE;
/** Nested evaluations of one expression: an endless recursion ends before the JavaScript stack does. */
export const EXPRESSION_DEPTH = 500;
/** Evaluations of all expressions of one row in workflow code. A workflow that computes for 5 s is cut off in a way that ends its worker; these take less than 1 s. */
export const EXPRESSION_STEPS = 5000;
/** A secret shorter than this is not looked for in texts: it would blank out ordinary words. */
export const REDACT_MIN_CHARACTERS = 4;
/** Characters of where and what a provider said about a wait, as people see it. */
export const SAID_CHARACTERS = 100;
/** Characters of a refusal's body that its message shows. */
export const EXCERPT_CHARACTERS = 300;
/** Characters of a value or body that an error message shows. */
export const SHOWN_CHARACTERS = 60;
/** Characters of a failure's message that the counts of a map show: they travel with every report of a page. */
export const SHOWN_ERROR_CHARACTERS = 200;
/** Characters of a message that tells why an activity is tried again: a path, what is wrong there, and the way out. */
export const SHOWN_FAULT_CHARACTERS = 600;
/** Characters of a row's label in the Temporal UI: a server takes 400 bytes of JSON. */
export const ROW_LABEL_CHARACTERS = 100;
