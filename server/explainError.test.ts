import { DrizzleQueryError } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { DatabaseUnavailable, UnusableDatabase } from './db/engine/databaseError.ts'
import { explainError } from './explainError.ts'

const coded = (code: string, message: string) => Object.assign(new Error(message), { code })
const wrapped = (cause: Error) => new DatabaseUnavailable('connect', { cause })
const BEGIN = 'The database cannot be reached or used: '

it.each([
  [
    coded('08P01', 'unsupported startup parameter: options'),
    '08P01: unsupported startup parameter: options. Name PostgreSQL itself in DATABASE_URL, or a pooler that keeps whole sessions and start-up options.',
  ],
  [wrapped(coded('53300', 'sorry, too many clients already')), '53300: sorry, too many clients already.'],
  [
    new DrizzleQueryError('SELECT $1', ['secret'], wrapped(coded('08006', 'server conn crashed?'))),
    '08006: server conn crashed?.',
  ],
  [
    wrapped(new Error('timeout', { cause: coded('57P03', 'the database system is starting up') })),
    '57P03: the database system is starting up.',
  ],
  [
    coded('28P01', 'password authentication failed for user "portal"'),
    '28P01: password authentication failed for user "portal".',
  ],
  [coded('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432'), 'connect ECONNREFUSED 127.0.0.1:5432.'],
  [coded('ECONNREFUSED', ''), 'ECONNREFUSED.'],
  [wrapped(new Error('Connection terminated unexpectedly')), 'Connection terminated unexpectedly.'],
  [new DatabaseUnavailable('connection without its TimeZone'), 'connection without its TimeZone.'],
  [new DatabaseUnavailable(''), 'the connection broke.'],
])('%s is explained in the words of the database', (error, words) => {
  expect(explainError(error)).toBe(BEGIN + words)
})

it('shows no login of a URL', () => {
  const error = coded('08001', 'cannot connect to postgres://portal:p@ss@db.example:5432/portal')
  expect(explainError(error)).toBe(`${BEGIN}08001: cannot connect to postgres://db.example:5432/portal.`)
})

it('shows a refusal of ours as it is', () => {
  expect(explainError(new UnusableDatabase('Pgpool would'))).toBe('Pgpool would.')
})
