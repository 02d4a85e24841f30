import Papa from 'papaparse'
import { centsAsDecimal } from '../../domain/money.ts'

export type Merged = { kind: 'merged'; bytes: ArrayBuffer } | { kind: 'mismatch'; trouble: string }

interface Part {
  /** The facts above the columns: label, and the line as it stood in the file. */
  facts: { label: string; value: string; raw: string }[]
  columns: string
  /** Everything below the columns, as it stood in the file. */
  body: string
  rows: number
  /** Of the column "Count": where a row stands for several vouchers. */
  vouchers: number
  cents: number
}

/** Of a row; what it is worth, where a row is one voucher, is its denomination. */
const MONEY_COLUMNS = ['Amount', 'Denomination']

/**
 * CSV reports of one period after the other as one report over `period`. Each part is counted and added up first: one whose
 * rows do not come to what its own head says is not merged, and nobody takes half a report for a whole one.
 */
export function mergeReports(files: readonly ArrayBuffer[], period: string): Merged {
  const parts = files.map((file) => readPart(new TextDecoder().decode(file)))
  const broken = parts.findIndex((part) => !part || !isWhole(part))
  if (broken >= 0) return mismatch(`Part ${broken + 1} does not hold the rows that its head names.`)
  const whole = parts as Part[]
  const last = whole.at(-1)!
  if (whole.some(({ columns }) => columns !== last.columns)) return mismatch('The parts have different columns.')
  const text = `\uFEFF${headOf(whole, period)}\r\n${last.columns}${whole.map(({ body }) => body).join('')}`
  return { kind: 'merged', bytes: new TextEncoder().encode(text).buffer }
}

const mismatch = (what: string): Merged => ({
  kind: 'mismatch',
  trouble: `${what} Nothing was merged. Retry downloads all parts again.`,
})

const factOf = ({ facts }: Part, label: string) => facts.find((fact) => fact.label === label)?.value

const isWhole = (part: Part) =>
  factOf(part, 'Rows') === String(part.rows) &&
  factOf(part, 'Total') === centsAsDecimal(part.cents) &&
  (factOf(part, 'Vouchers') ?? String(part.vouchers)) === String(part.vouchers)

/** The head of the last part, which is the newest, with the whole period, the sum of the rows and the sum of the totals. */
function headOf(parts: readonly Part[], period: string): string {
  const sum = (of: (part: Part) => number) => parts.reduce((total, part) => total + of(part), 0)
  const rewritten: Record<string, string> = {
    Period: period,
    Rows: String(sum(({ rows }) => rows)),
    Vouchers: String(sum(({ vouchers }) => vouchers)),
    Total: centsAsDecimal(sum(({ cents }) => cents)),
  }
  return parts
    .at(-1)!
    .facts.map(({ label, raw }) => (label in rewritten ? `${label},${rewritten[label]}\r\n` : raw))
    .join('')
}

/** Undefined for what is no report of ours. */
function readPart(text: string): Part | undefined {
  const csv = text.replace(/^\uFEFF/, '')
  const reader = new PartReader()
  let start = 0
  Papa.parse<string[]>(csv, {
    delimiter: ',',
    newline: '\r\n',
    step({ data: cells, meta: { cursor } }) {
      reader.take(cells, csv.slice(start, cursor))
      start = cursor
    },
  })
  return reader.part && { ...reader.part, body: csv.slice(reader.bodyAt) }
}

/** Facts, a blank line, the columns, the rows. */
class PartReader {
  bodyAt = 0
  #facts: Part['facts'] = []
  #columns: string | undefined
  #money = -1
  #count = -1
  #afterFacts = false
  #rows = 0
  #vouchers = 0
  #cents = 0

  get part(): Omit<Part, 'body'> | undefined {
    if (this.#columns === undefined || this.#money < 0) return undefined
    const sums = { rows: this.#rows, vouchers: this.#vouchers, cents: this.#cents }
    return { facts: this.#facts, columns: this.#columns, ...sums }
  }

  take(cells: string[], raw: string) {
    const isBlank = cells.length === 1 && cells[0] === ''
    if (this.#columns === undefined) this.bodyAt += raw.length
    if (!this.#afterFacts) this.#takeFact(cells, raw, isBlank)
    else if (this.#columns === undefined) {
      this.#columns = raw
      this.#money = MONEY_COLUMNS.map((name) => cells.indexOf(name)).find((index) => index >= 0) ?? -1
      this.#count = cells.indexOf('Count')
    } else if (!isBlank) {
      this.#rows += 1
      this.#vouchers += this.#count < 0 ? 1 : Number(cells[this.#count])
      this.#cents += centsOf(cells[this.#money])
    }
  }

  #takeFact(cells: string[], raw: string, isBlank: boolean) {
    if (isBlank) this.#afterFacts = true
    else this.#facts.push({ label: cells[0] ?? '', value: cells[1] ?? '', raw })
  }
}

/** Never through a fraction; what is no amount makes the sum no number, which equals no total. */
const centsOf = (cell: string | undefined) =>
  /^\d+\.\d\d$/.test(cell ?? '') ? Number(cell!.replace('.', '')) : Number.NaN
