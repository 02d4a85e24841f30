import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { day, email, text } from '../../src/contract/fieldSchemas.ts'
import { decisionReason } from '../../src/contract/merchants/review.ts'
import { serial } from '../../src/contract/vouchers.ts'
import { cents, month } from '../../src/contract/wireFields.ts'
import { printable } from '../log.ts'
import { DeskError } from './Desk.ts'

const MAX_VOUCHERS = 10_000
const MAX_DENOMINATION_CENTS = 100_000

export const merchant = v.pipe(text(20), v.regex(/^\d{3,}$/, 'must be the number of a merchant, as "list" shows it'))

const voucherCount = v.pipe(
  v.string('is required'),
  v.regex(/^\d{1,6}$/, 'must be a whole number'),
  v.transform(Number),
  v.minValue(1, 'must be 1 or more'),
  v.maxValue(MAX_VOUCHERS, `must be ${MAX_VOUCHERS} or less`),
)

/** Reads dollars as people write them, and returns cents. */
const denomination = v.pipe(
  v.string('is required'),
  v.regex(/^\d{1,6}(\.\d\d)?$/, 'must be an amount like 10 or 10.00'),
  v.transform((dollars) => Number(dollars.includes('.') ? dollars.replace('.', '') : `${dollars}00`)),
  cents,
  v.minValue(1, 'must be more than 0'),
  v.maxValue(MAX_DENOMINATION_CENTS, 'must be 1000.00 or less'),
)

const keyId = v.pipe(
  v.string('is required'),
  v.regex(/^\d{1,5}$/, 'must be the number of a key, as "list-keys" shows it'),
  v.transform(Number),
)

/** The bank's, of a payment. */
export const reference = text(100)

/** A path on the machine that runs the command. */
const path = v.pipe(v.string('is required'), v.nonEmpty('is required'))

/** The arguments of each command: names without dashes, then options. */
const COMMANDS = {
  list: {
    usage: 'list [--pending]',
    about: 'lists all merchants, or those that wait for a decision',
    schema: v.strictObject({ pending: v.optional(v.boolean(), false) }),
  },
  show: {
    usage: 'show MERCHANT',
    about: 'shows a merchant and what they submitted',
    name: 'merchant',
    schema: v.strictObject({ merchant }),
  },
  approve: {
    usage: 'approve MERCHANT',
    about: 'approves an application or onboarding',
    name: 'merchant',
    schema: v.strictObject({ merchant }),
  },
  reject: {
    usage: 'reject MERCHANT --reason TEXT',
    about: 'rejects it; the merchant reads the reason',
    name: 'merchant',
    schema: v.strictObject({ merchant, reason: decisionReason }),
  },
  'issue-vouchers': {
    usage: 'issue-vouchers --count NUMBER --denomination DOLLARS --expires YYYY-MM-DD [--sheet FOLDER]',
    about: 'makes vouchers and prints them as CSV; --sheet also signs them and writes a PDF',
    schema: v.strictObject({ count: voucherCount, denomination, expires: day, sheet: v.optional(path) }),
  },
  revoke: {
    usage: 'revoke SERIAL',
    about: 'makes a voucher worthless',
    name: 'serial',
    schema: v.strictObject({ serial }),
  },
  'list-keys': { usage: 'list-keys', about: 'lists the keys that sign vouchers', schema: v.strictObject({}) },
  'make-key': { usage: 'make-key', about: 'makes a new key', schema: v.strictObject({}) },
  'end-key': { usage: 'end-key KEY', about: 'ends a key', name: 'key', schema: v.strictObject({ key: keyId }) },
  'release-hold': {
    usage: 'release-hold SERIAL',
    about: 'takes a voucher away from the till that holds it',
    name: 'serial',
    schema: v.strictObject({ serial }),
  },
  pay: {
    usage: 'pay MERCHANT YYYY-MM --reference TEXT [--on YYYY-MM-DD]',
    about: 'records that the statement of a month was paid, today or on a day; the merchant gets an email',
    name: ['merchant', 'month'],
    schema: v.strictObject({ merchant, month, reference, on: v.optional(day) }),
  },
  'pay-many': {
    usage: 'pay-many FILE.csv [--dry-run]',
    about: 'does this for the rows Merchant, Month, Reference, Paid on, Amount; --dry-run only checks them',
    name: 'file',
    schema: v.strictObject({ file: path, 'dry-run': v.optional(v.boolean(), false) }),
  },
  'list-late-uploads': {
    usage: 'list-late-uploads',
    about: 'lists the late uploads of the last 30 days',
    schema: v.strictObject({}),
  },
  'list-mails': { usage: 'list-mails', about: 'lists emails that failed or were refused', schema: v.strictObject({}) },
  'send-mails': {
    usage: 'send-mails [EMAIL]',
    about: 'sends them again',
    name: 'email',
    schema: v.strictObject({ email: v.optional(email) }),
  },
  'check-ledger': {
    usage: 'check-ledger',
    about: 'proves that redemptions and used vouchers agree',
    schema: v.strictObject({}),
  },
  'skip-receipts': {
    usage: 'skip-receipts',
    about: 'moves receipt numbers on, after a restore',
    schema: v.strictObject({}),
  },
  'change-email': {
    usage: 'change-email EMAIL --to EMAIL',
    about: 'moves a login to another email',
    name: 'email',
    schema: v.strictObject({ email, to: email }),
  },
  'reset-mfa': {
    usage: 'reset-mfa EMAIL',
    about: 'removes the authenticator app of an account',
    name: 'email',
    schema: v.strictObject({ email }),
  },
} as const

type CommandName = keyof typeof COMMANDS
type ArgumentsOf<N extends CommandName> = v.InferOutput<(typeof COMMANDS)[N]['schema']>
export type Command = { [N in CommandName]: { command: N; given: ArgumentsOf<N> } }[CommandName]
export type CommandHandlers<D> = { [N in CommandName]: (desk: D, given: ArgumentsOf<N>) => Promise<void> }

/** The text of `--help`. */
export const HELP = [
  'npm run provider -- COMMAND',
  ...Object.values(COMMANDS).flatMap(({ usage, about }) => ['', `  ${usage}`, `      ${about}`]),
  '',
  'MERCHANT is the number that "list" shows.',
].join('\n')

const OPTIONS = {
  pending: { type: 'boolean' },
  reason: { type: 'string' },
  count: { type: 'string' },
  denomination: { type: 'string' },
  expires: { type: 'string' },
  sheet: { type: 'string' },
  reference: { type: 'string' },
  on: { type: 'string' },
  'dry-run': { type: 'boolean' },
  to: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/**
 * Reads and checks the command in `argv`; `undefined` when it asks for help. Throws DeskError with the mistake and how to write the command.
 */
export function readCommand(argv: string[]): Command | undefined {
  const {
    values: { help, ...values },
    positionals: [command, ...given],
  } = split(argv)
  if (help || command === undefined || command === 'help') return undefined
  if (!isCommand(command)) throw new DeskError(unknownCommand(command))
  const definition = COMMANDS[command]
  const names = 'name' in definition ? [definition.name].flat() : []
  const extra = given[names.length]
  if (extra !== undefined) throw usageError(command, `"${printable(extra)}" is one word too many.`)
  const named = Object.fromEntries(names.map((name, index) => [name, given[index]]))
  const parsed = v.safeParse(definition.schema, { ...values, ...named })
  if (!parsed.success) throw usageError(command, parsed.issues.map(issueMessage).join('; '))
  return { command, given: parsed.output } as Command
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name)

const SEE_HELP = 'npm run provider -- --help shows all commands.'

function unknownCommand(word: string): string {
  const start = word.slice(0, 2)
  const alike = Object.keys(COMMANDS).filter((name) => name.split('-').some((part) => part.startsWith(start)))
  const question = alike.length === 0 ? '' : ` Do you mean ${alike.join(', ')}?`
  return `There is no command "${printable(word)}".${question}\n${SEE_HELP}`
}

function split(argv: string[]) {
  try {
    return parseArgs({ args: argv, options: OPTIONS, allowPositionals: true })
  } catch (error) {
    // The rest of Node's message explains how to escape dashes.
    const [mistake = ''] = (error as Error).message.split('. ')
    throw new DeskError(`${mistake}.\n${SEE_HELP}`, { cause: error })
  }
}

const usageError = (command: CommandName, what: string) =>
  new DeskError(`${what}\nWrite: npm run provider -- ${COMMANDS[command].usage}`)

function issueMessage(issue: v.BaseIssue<unknown>): string {
  const at = v.getDotPath(issue) ?? ''
  if (issue.type === 'strict_object') return `${at} ${issue.expected === 'never' ? 'has no place here' : 'is required'}`
  return `${at} ${issue.message}`
}
