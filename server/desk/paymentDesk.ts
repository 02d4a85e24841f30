import { readFile } from 'node:fs/promises'
import Papa from 'papaparse'
import * as v from 'valibot'
import { day } from '../../src/contract/fieldSchemas.ts'
import { month } from '../../src/contract/wireFields.ts'
import { centsFromText, formatCents } from '../../src/domain/money.ts'
import { pluralize } from '../../src/domain/quantities.ts'
import { formatMonth, singaporeDay } from '../../src/domain/singaporeTime.ts'
import { printable } from '../log.ts'
import { PaymentRefused, recordPayments, type PaidStatement, type Payment } from '../services/payments/recordPayment.ts'
import { DeskError, type Desk } from './Desk.ts'
import { merchant as merchantNumber, reference } from './readCommand.ts'

interface GivenPayment {
  merchant: string
  month: string
  reference: string
  /** The day; today without it. */
  on?: string | undefined
}

/** Records that the statement of a month was paid. */
export async function pay(desk: Desk, { on, ...given }: GivenPayment): Promise<void> {
  const paidOn = on ?? singaporeDay(desk.clock.now())
  const paid = await recordPayments(desk, [{ ...given, paidOn }]).catch(explain)
  desk.print(linesOf(paid).join('\n'))
}

/** Records the payments of a CSV, all of them or none. With `dry-run` it only checks them. */
export async function payMany(desk: Desk, { file, ...options }: { file: string; 'dry-run': boolean }): Promise<void> {
  const dryRun = options['dry-run']
  const rows = readRows(await readFile(file, 'utf8').catch(cannotRead(file)), singaporeDay(desk.clock.now()))
  const payments = rows.map(({ payment }) => payment)
  const nameOf = (index: number) => `Row ${rows[index]!.number}: `
  const paid = await recordPayments(desk, payments, { dryRun, nameOf }).catch(explain)
  const total = formatCents(paid.reduce((sum, { totalCents }) => sum + totalCents, 0))
  const many = pluralize(paid.length, 'payment')
  desk.print(
    [
      ...linesOf(paid),
      dryRun ? `${many}, ${total}: all right, nothing recorded.` : `${many}, ${total}: recorded.`,
    ].join('\n'),
  )
}

const linesOf = (paid: PaidStatement[]) =>
  paid.map(({ organisation: { merchantId, name }, month: of, totalCents }) =>
    printable(`${merchantId}  ${formatMonth(of)}  ${formatCents(totalCents)}  ${name}`),
  )

const cannotRead = (file: string) => (error: unknown) => {
  throw new DeskError(`${file} cannot be read.`, { cause: error })
}

function explain(error: unknown): never {
  throw error instanceof PaymentRefused
    ? new DeskError([...error.reasons, 'Nothing is recorded.'].map(printable).join('\n'), { cause: error })
    : error
}

const NEEDED = ['Merchant', 'Month', 'Reference'] as const
const KNOWN: readonly string[] = [...NEEDED, 'Paid on', 'Amount']

const amount = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const cents = centsFromText(dataset.value)
    if (cents !== undefined) return cents
    addIssue({ message: 'must be an amount like 3540.00' })
    return NEVER
  }),
)

const Row = v.strictObject({
  Merchant: merchantNumber,
  Month: month,
  Reference: reference,
  'Paid on': v.optional(day),
  Amount: v.optional(amount),
})

interface ReadRow {
  /** The row number in a spreadsheet: the header is row 1. */
  number: number
  payment: Payment
}

/** Reads the rows of the file. Throws DeskError with every mistake. */
function readRows(csv: string, today: string): ReadRow[] {
  const { data, meta, errors } = Papa.parse<Record<string, string>>(csv.replace(/^\uFEFF/, ''), {
    header: true,
    transformHeader: (name) => KNOWN.find((known) => known.toLowerCase() === name.trim().toLowerCase()) ?? name.trim(),
    transform: (cell) => cell.trim(),
  })
  refuseColumns(meta.fields ?? [])
  const wrong: string[] = []
  const rows: ReadRow[] = []
  for (const [index, cells] of data.entries()) {
    const number = index + 2
    const given = Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== ''))
    if (Object.keys(given).length === 0) continue
    const broken = errors.filter(({ row }) => row === index).map(({ message }) => message)
    const read = broken.length > 0 ? broken : readRow(given, today)
    if (Array.isArray(read)) wrong.push(`Row ${number}: ${read.join('; ')}`)
    else rows.push({ number, payment: read })
  }
  const twice = repeated(rows)
  if (wrong.length + twice.length > 0) throw new DeskError([...wrong, ...twice, 'Nothing is recorded.'].join('\n'))
  if (rows.length === 0) throw new DeskError('The file has no payment.')
  return rows
}

function refuseColumns(names: readonly string[]): void {
  const missing = NEEDED.filter((name) => !names.includes(name))
  const unknown = names.filter((name) => !KNOWN.includes(name))
  if (missing.length + unknown.length === 0) return
  const words = [
    ...missing.map((name) => `The column ${name} is missing.`),
    ...unknown.map((name) => printable(`The column "${name}" is not known.`)),
  ]
  throw new DeskError(
    `${words.join(' ')}\nThe first row names the columns: ${KNOWN.join(', ')}; the last two are optional.`,
  )
}

function readRow(cells: Record<string, string>, today: string): Payment | string[] {
  const { success, output, issues } = v.safeParse(Row, cells)
  if (!success) {
    return issues.map((issue) => {
      const what = issue.type === 'strict_object' ? 'is required' : issue.message
      return printable(`${v.getDotPath(issue)} ${what}`)
    })
  }
  const { Merchant: merchant, Month: of, Reference: ofBank, 'Paid on': paidOn = today, Amount: cents } = output
  return { merchant, month: of, reference: ofBank, paidOn, cents }
}

/** Names the rows that repeat the merchant and month of another. */
function repeated(rows: readonly ReadRow[]): string[] {
  const first = new Map<string, number>()
  return rows.flatMap(({ number, payment: { merchant, month: of } }) => {
    const key = `${merchant} ${of}`
    const before = first.get(key)
    if (before !== undefined) return [`Row ${number}: pays ${merchant} for ${of} again, as row ${before} does`]
    first.set(key, number)
    return []
  })
}
