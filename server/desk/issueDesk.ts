import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { centsAsDecimal } from '../../src/domain/money.ts'
import { voucherSheet, type Print } from '../pdf/voucherPrints.ts'
import { issueVouchers } from '../services/vouchers/issueVouchers.ts'
import { signingKey, signVoucher } from '../services/vouchers/voucherKeys.ts'
import { DeskError, type Desk } from './Desk.ts'
import { throwDeskError, withSecrets } from './voucherKeyDesk.ts'

interface VoucherOrder {
  count: number
  /** Cents. */
  denomination: number
  /** The last Singapore day on which the vouchers are good. */
  expires: string
  /** The folder for the PDF of signed vouchers. Without it, vouchers have only serials. */
  sheet?: string | undefined
}

/** Issues vouchers, then prints them as CSV: the serials, and with a sheet also the signed codes. */
export async function issue(desk: Desk, { sheet, ...order }: VoucherOrder): Promise<void> {
  // The key and the folder come first: without them, no voucher may be issued.
  const key = sheet === undefined ? undefined : await signingKey(withSecrets(desk)).catch(throwDeskError)
  if (sheet !== undefined) await makeFolder(sheet)
  const { count, denomination, expires } = order
  const serials = await issueVouchers(desk, { count, denominationCents: denomination, expiresOn: expires })
  const facts = `${centsAsDecimal(denomination)},${expires}`
  if (!key || sheet === undefined) {
    // Digits, amounts and days need no quotes in CSV.
    const lines = serials.map((serial) => `${serial},${facts}`)
    return desk.print(['Serial number,Denomination,Expires on', ...lines].join('\n'))
  }
  const terms = { denomination_cents: denomination, expires_on: expires }
  const prints = serials.map((serial) => ({
    serial,
    denominationCents: denomination,
    expiresOn: expires,
    code: signVoucher(key, { serial, ...terms }),
  }))
  // Base 45 has no commas or quotes, so the code needs no quotes.
  const lines = prints.map(({ serial, code }) => `${serial},${facts},${code}`)
  desk.print(['Serial number,Denomination,Expires on,Code', ...lines].join('\n'))
  await writePrints(desk, sheet, prints)
}

/** Owner only: a person who can read the file can spend its vouchers. */
const OWN_FOLDER = 0o700
const OWN_FILE = 0o600

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: OWN_FOLDER }).catch((error: unknown) => {
    throw new DeskError(`The folder ${folder} cannot be made.`, { cause: error })
  })
  if ((await readdir(folder)).length > 0) throw new DeskError(`The folder ${folder} is not empty.`)
}

async function writePrints(desk: Desk, folder: string, prints: readonly Print[]): Promise<void> {
  const head = {
    title: 'Vouchers',
    words: 'Print at full size, and cut along the marks. Each voucher is good once.',
    at: desk.clock.now(),
  }
  try {
    await writeFile(join(folder, 'vouchers.pdf'), await voucherSheet(prints, head), { mode: OWN_FILE })
  } catch (error) {
    throw new DeskError(
      `The vouchers above are valid, but were not written to ${folder}. Print their codes from this list.`,
      { cause: error },
    )
  }
}
