import { describe, expect, it } from 'vitest'
import { HELP, readCommand } from './readCommand.ts'

const READ: [string, object][] = [
  ['list', { command: 'list', given: { pending: false } }],
  ['list --pending', { command: 'list', given: { pending: true } }],
  ['show 100500', { command: 'show', given: { merchant: '100500' } }],
  ['reject 100500 --reason Incomplete', { command: 'reject', given: { merchant: '100500', reason: 'Incomplete' } }],
  [
    'issue-vouchers --count 5 --denomination 10 --expires 2099-12-31',
    { command: 'issue-vouchers', given: { count: 5, denomination: 1_000, expires: '2099-12-31' } },
  ],
  [
    'issue-vouchers --count 5 --denomination 0.50 --expires 2099-12-31',
    { command: 'issue-vouchers', given: { count: 5, denomination: 50, expires: '2099-12-31' } },
  ],
  [
    'issue-vouchers --count 5 --denomination 10 --expires 2099-12-31 --sheet out',
    { command: 'issue-vouchers', given: { count: 5, denomination: 1_000, expires: '2099-12-31', sheet: 'out' } },
  ],
  ['list-keys', { command: 'list-keys', given: {} }],
  ['end-key 12', { command: 'end-key', given: { key: 12 } }],
  ['release-hold 2004839201186', { command: 'release-hold', given: { serial: '2004839201186' } }],
  ['skip-receipts', { command: 'skip-receipts', given: {} }],
  ['check-ledger', { command: 'check-ledger', given: {} }],
  ['pay 101 2026-11 --reference G1', { command: 'pay', given: { merchant: '101', month: '2026-11', reference: 'G1' } }],
  [
    'pay 101 2026-11 --reference G1 --on 2026-12-28',
    { command: 'pay', given: { merchant: '101', month: '2026-11', reference: 'G1', on: '2026-12-28' } },
  ],
  ['pay-many paid.csv', { command: 'pay-many', given: { file: 'paid.csv', 'dry-run': false } }],
  ['pay-many paid.csv --dry-run', { command: 'pay-many', given: { file: 'paid.csv', 'dry-run': true } }],
  ['list-mails', { command: 'list-mails', given: {} }],
  ['send-mails', { command: 'send-mails', given: {} }],
  ['send-mails Main@Demo.example', { command: 'send-mails', given: { email: 'main@demo.example' } }],
  [
    'change-email Main@Demo.example --to New@Demo.example',
    { command: 'change-email', given: { email: 'main@demo.example', to: 'new@demo.example' } },
  ],
  ['reset-mfa Main@Demo.example', { command: 'reset-mfa', given: { email: 'main@demo.example' } }],
]

const REFUSED: [string, string][] = [
  ['constructor', 'There is no command "constructor".'],
  ['issue --count 5', 'There is no command "issue". Do you mean issue-vouchers?'],
  ['keys', 'There is no command "keys". Do you mean list-keys, make-key, end-key?'],
  ['approve', 'merchant is required'],
  ['approve 12', 'merchant must be the number of a merchant'],
  ['approve 100500 100600', '"100600" is one word too many.'],
  ['list 100500', '"100500" is one word too many.'],
  ['approve 100500 --reason Fine', 'reason has no place here'],
  ['reject 100500', 'reason is required'],
  ['issue-vouchers --count 5 --denomination 10 --expires 2099-12-31 --sheet=', 'sheet is required'],
  ['end-key', 'key is required'],
  ['end-key 1a', 'key must be the number of a key'],
  ['make-key 2', '"2" is one word too many.'],
  ['release-hold', 'serial is required'],
  ['check-ledger 1', '"1" is one word too many.'],
  ['send-mails nobody', 'email'],
  ['pay 101', 'month is required'],
  ['pay 101 2026-13 --reference G1', 'month must be a month'],
  ['pay 101 2026-11', 'reference is required'],
  ['pay 101 2026-11 2026-12 --reference G1', '"2026-12" is one word too many.'],
  ['pay 101 2026-11 --reference G1 --on yesterday', 'on must be a date'],
  ['pay-many', 'file is required'],
  ['pay-many paid.csv --reference G1', 'reference has no place here'],
  ['list --all', "Unknown option '--all'"],
  ['revoke 2000000000001', 'serial'],
  ['issue-vouchers --count 0 --denomination 10 --expires 2099-12-31', 'count must be 1 or more'],
  ['issue-vouchers --count 10001 --denomination 10 --expires 2099-12-31', 'count must be 10000 or less'],
  [
    'issue-vouchers --count 5 --denomination 10,5 --expires 2099-12-31',
    'denomination must be an amount like 10 or 10.00',
  ],
  ['issue-vouchers --count 5 --denomination 1000.01 --expires 2099-12-31', 'denomination must be 1000.00 or less'],
  ['issue-vouchers --count 5 --denomination 0 --expires 2099-12-31', 'denomination must be more than 0'],
  ['issue-vouchers --count 5 --denomination 10 --expires 2099-02-30', 'expires must be a date'],
]

describe('a command of the desk', () => {
  it.each(READ)('%s', (line, command) => expect(readCommand(line.split(' '))).toEqual(command))

  it.each(REFUSED)('refuses "%s" in a line: %s', (line, words) =>
    expect(() => readCommand(line.split(' ').filter(Boolean))).toThrow(words),
  )

  it.each(['', '--help', '-h', 'help', 'list --help'])('"%s" asks for help', (line) =>
    expect(readCommand(line.split(' ').filter(Boolean))).toBeUndefined(),
  )

  it('help explains every command', () => {
    const explained = HELP.split('\n').filter((line) => /^ {6}\S/.test(line))
    expect(explained.length).toBe(HELP.split('\n').filter((line) => /^ {2}\S/.test(line)).length)
    for (const [line] of READ) expect(HELP).toContain(`\n  ${line.split(' ')[0]}`)
  })
})
