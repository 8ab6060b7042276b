// The rows of companies.csv, made from word lists: the same every time, with the corners that real lists have.

export interface CompanyRow {
  domain: string;
  company: string;
  country: string;
  note: string;
}

const FIRST =
  'amber blue cedar copper coral delta ember falcon granite harbor indigo juniper lunar maple north olive pine silver tidal violet'.split(
    ' ',
  );
const SECOND =
  'bakery bridge cargo dairy design energy foods freight garden labs motors optics paper robotics works'.split(' ');
const COUNTRIES = ['DE', 'US', 'FR', 'JP', 'BR', 'IN'] as const;
const LEGAL_FORM: { [country in (typeof COUNTRIES)[number]]: string } = {
  DE: 'GmbH',
  US: 'Inc.',
  FR: 'SAS',
  JP: '株式会社',
  BR: 'Ltda.',
  IN: 'Pvt. Ltd.',
};

const ROWS = 300;
/** Has no common factor with 300, so every pair of words comes up once and neighbours differ. */
const STEP = 77;

/** Rows that replace the plain one at their position (from 0). */
const SPECIAL: { readonly [position: number]: Partial<CompanyRow> } = {
  12: { company: 'Müller, Söhne & Töchter GmbH', note: 'met in Köln, wants a call back' },
  47: { company: 'Crème Fraîche, SAS' },
  88: { company: 'The "Quiet" Company', note: 'said "call me", then did not' },
  133: { domain: 'nobody-knows.example', company: 'Nobody Knows Ltd.', note: 'no provider has it: a miss' },
  176: { company: '青い川製作所, 東京', note: '日本語の行' },
  240: { company: 'São João Alimentos', note: 'emoji in a cell: 🥖' },
};

/** Position of a row, and of the earlier one whose domain it repeats: once in full, once with another company. */
const SAME_AGAIN = { at: 110, of: 20 };
const CONFLICT = { at: 210, of: 30 };

/** 300 rows in file order: 298 domains, one row repeated as it is, one domain repeated with other content. */
export function companyRows(): CompanyRow[] {
  const rows = Array.from({ length: ROWS }, (_, position) => ({ ...plainRow(position), ...SPECIAL[position] }));
  const earlier = (position: number): CompanyRow => rows[position] ?? plainRow(position);
  rows[SAME_AGAIN.at] = earlier(SAME_AGAIN.of);
  rows[CONFLICT.at] = {
    ...earlier(CONFLICT.of),
    company: 'Renamed Holding, Inc.',
    note: 'same domain, other company: the first row wins',
  };
  return rows;
}

function plainRow(position: number): CompanyRow {
  const pair = (position * STEP) % ROWS;
  const first = FIRST[pair % FIRST.length] ?? '';
  const second = SECOND[Math.floor(pair / FIRST.length)] ?? '';
  const country = COUNTRIES[(position + Math.floor(position / 7)) % COUNTRIES.length] ?? 'DE';
  const company = `${capital(first)} ${capital(second)} ${LEGAL_FORM[country]}`;
  return { domain: `${first}-${second}.example`, company, country, note: '' };
}

const capital = (word: string): string => `${word[0]?.toUpperCase()}${word.slice(1)}`;
