import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { day, email, text } from '../../src/contract/fieldSchemas.ts'
import { decisionReason } from '../../src/contract/merchants/review.ts'
import { serial } from '../../src/contract/vouchers.ts'
import { cents } from '../../src/contract/wireFields.ts'
import { DeskError } from './Desk.ts'

const MOST_VOUCHERS = 10_000
const DEAREST_CENTS = 100_000

const merchant = v.pipe(text(20), v.regex(/^\d{3,}$/, 'must be the number of a merchant, as "list" shows it'))

const voucherCount = v.pipe(
  v.string('is required'),
  v.regex(/^\d{1,6}$/, 'must be a whole number'),
  v.transform(Number),
  v.minValue(1, 'must be 1 or more'),
  v.maxValue(MOST_VOUCHERS, `must be ${MOST_VOUCHERS} or less`),
)

/** Dollars as a person writes them, turned into cents. */
const denomination = v.pipe(
  v.string('is required'),
  v.regex(/^\d{1,6}(\.\d\d)?$/, 'must be an amount like 10 or 10.00'),
  v.transform((dollars) => Number(dollars.includes('.') ? dollars.replace('.', '') : `${dollars}00`)),
  cents,
  v.minValue(1, 'must be more than 0'),
  v.maxValue(DEAREST_CENTS, 'must be 1000.00 or less'),
)

const keyId = v.pipe(
  v.string('is required'),
  v.regex(/^\d{1,5}$/, 'must be the number of a key, as "list-keys" shows it'),
  v.transform(Number),
)

/** A path on the machine that runs the command. */
const folder = v.pipe(v.string(), v.nonEmpty('is required'))

/** The arguments of each command: at most one name without dashes, then options. */
const COMMANDS = {
  list: { usage: 'list [--pending]', schema: v.strictObject({ pending: v.optional(v.boolean(), false) }) },
  show: { usage: 'show MERCHANT', name: 'merchant', schema: v.strictObject({ merchant }) },
  approve: { usage: 'approve MERCHANT', name: 'merchant', schema: v.strictObject({ merchant }) },
  reject: {
    usage: 'reject MERCHANT --reason TEXT',
    name: 'merchant',
    schema: v.strictObject({ merchant, reason: decisionReason }),
  },
  'issue-vouchers': {
    usage: 'issue-vouchers --count NUMBER --denomination DOLLARS --expires YYYY-MM-DD [--sheet FOLDER]',
    schema: v.strictObject({ count: voucherCount, denomination, expires: day, sheet: v.optional(folder) }),
  },
  revoke: { usage: 'revoke SERIAL', name: 'serial', schema: v.strictObject({ serial }) },
  'list-keys': { usage: 'list-keys', schema: v.strictObject({}) },
  'make-key': { usage: 'make-key', schema: v.strictObject({}) },
  'end-key': { usage: 'end-key KEY', name: 'key', schema: v.strictObject({ key: keyId }) },
  'release-hold': { usage: 'release-hold SERIAL', name: 'serial', schema: v.strictObject({ serial }) },
  'list-late-uploads': { usage: 'list-late-uploads', schema: v.strictObject({}) },
  'list-mails': { usage: 'list-mails', schema: v.strictObject({}) },
  'send-mails': { usage: 'send-mails [EMAIL]', name: 'email', schema: v.strictObject({ email: v.optional(email) }) },
  'check-ledger': { usage: 'check-ledger', schema: v.strictObject({}) },
  'skip-receipts': { usage: 'skip-receipts', schema: v.strictObject({}) },
  'change-email': {
    usage: 'change-email EMAIL --to EMAIL',
    name: 'email',
    schema: v.strictObject({ email, to: email }),
  },
  'reset-mfa': { usage: 'reset-mfa EMAIL', name: 'email', schema: v.strictObject({ email }) },
} as const

type CommandName = keyof typeof COMMANDS
type ArgumentsOf<N extends CommandName> = v.InferOutput<(typeof COMMANDS)[N]['schema']>
export type Command = { [N in CommandName]: { command: N; given: ArgumentsOf<N> } }[CommandName]
export type CommandHandlers<D> = { [N in CommandName]: (desk: D, given: ArgumentsOf<N>) => Promise<void> }

const USAGE = [
  'npm run provider -- COMMAND',
  ...Object.values(COMMANDS).map(({ usage }) => `  ${usage}`),
  'MERCHANT is the number that "list" shows.',
].join('\n')

const OPTIONS = {
  pending: { type: 'boolean' },
  reason: { type: 'string' },
  count: { type: 'string' },
  denomination: { type: 'string' },
  expires: { type: 'string' },
  sheet: { type: 'string' },
  to: { type: 'string' },
} as const

/** Reads and checks the command in `argv`. Throws DeskError with the mistake and the usage. */
export function readCommand(argv: string[]): Command {
  const { values, positionals } = split(argv)
  const [command, given, ...rest] = positionals
  if (command === undefined || !isCommand(command)) throw new DeskError(USAGE)
  const definition = COMMANDS[command]
  const name = 'name' in definition ? definition.name : undefined
  if (rest.length > 0 || (given !== undefined && name === undefined)) throw wrong(command, 'Too many words.')
  const parsed = v.safeParse(definition.schema, { ...values, ...(name ? { [name]: given } : {}) })
  if (!parsed.success) throw wrong(command, parsed.issues.map(issueMessage).join('; '))
  return { command, given: parsed.output } as Command
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name)

function split(argv: string[]) {
  try {
    return parseArgs({ args: argv, options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new DeskError(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`, { cause: error })
  }
}

const wrong = (command: CommandName, what: string) =>
  new DeskError(`${what}\nnpm run provider -- ${COMMANDS[command].usage}`)

function issueMessage(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue) ?? ''
  if (issue.type === 'strict_object')
    return `${path} ${issue.expected === 'never' ? 'has no place here' : 'is required'}`
  return `${path} ${issue.message}`
}
