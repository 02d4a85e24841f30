import { expect, it } from 'vitest'
import { errorSentence } from './formErrors.ts'

it.each([
  ['must be a number', 'Number of POS terminals must be a number.'],
  ['has too many pixels', 'Number of POS terminals has too many pixels.'],
  ['are separated by commas only', 'Number of POS terminals are separated by commas only.'],
  ['is required', 'Number of POS terminals is required.'],
  ['invalid email', 'Invalid email.'],
  ['date range must not exceed 2 months', 'Date range must not exceed 2 months.'],
  ['Email or password is not right.', 'Email or password is not right.'],
])('%s becomes: %s', (message, sentence) => expect(errorSentence('Number of POS terminals', message)).toBe(sentence))

it.each([
  ['Terminal types', 'is required', 'Terminal types are required.'],
  ['Credit terms in days', 'is required', 'Credit terms in days are required.'],
  ['Outlets that do not take part', 'has too many lines', 'Outlets that do not take part have too many lines.'],
  ['Participating brands', 'must be 0 or more', 'Participating brands must be 0 or more.'],
  ['Number of outlets taking part', 'is required', 'Number of outlets taking part is required.'],
  ['Office address', 'is required', 'Office address is required.'],
  ['Status', 'is required', 'Status is required.'],
  ['POS', 'is required', 'POS is required.'],
])('of %s, %s becomes: %s', (label, message, sentence) => expect(errorSentence(label, message)).toBe(sentence))
