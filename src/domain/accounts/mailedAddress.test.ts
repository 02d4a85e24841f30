import { expect, it } from 'vitest'
import { mendMailedAddress } from './mailedAddress.ts'

const TOKEN = 'Ab3-_xYz90Ab3-_xYz90Ab3-_xYz90Ab3-_xYz90Ab3'
const mend = (address: string) => mendMailedAddress(new URL(address, 'https://portal.example'))
const RESET = `/login?step=reset#token=${TOKEN}`
const REVIEW = `/review#token=${TOKEN}`

it.each([
  ['an encoded fragment in the query', `/login?step=reset%23token=${TOKEN}`, RESET],
  ['its equals sign encoded too', `/login?step=reset%23token%3D${TOKEN}`, RESET],
  ['encoded twice, as a gateway within a gateway does it', `/login?step=reset%2523token%253D${TOKEN}`, RESET],
  ['everything behind the path encoded', `/login%3Fstep%3Dreset%23token%3D${TOKEN}`, RESET],
  ['an encoded fragment in the path', `/review%23token=${TOKEN}`, REVIEW],
  ['a slash before it', `/review/%23token=${TOKEN}`, REVIEW],
  ['the fragment made a query', `/review?token=${TOKEN}`, REVIEW],
  ['the fragment made a part of the query', `/login?step=reset&token=${TOKEN}`, RESET],
  ['parameters put into the query', `/login?step=reset&utm_source=mail#token=${TOKEN}`, RESET],
  ['parameters put behind the fragment', `${RESET}&data=05%7C02&sdata=x%3D&reserved=0`, RESET],
  ['a query put behind the fragment', `${RESET}?utm_source=mail`, RESET],
  ['the full stop of a sentence', `${RESET}.`, RESET],
  ['the bracket of a plain text', `${RESET}>`, RESET],
  ['the bracket encoded', `/review%23token=${TOKEN}%3E`, REVIEW],
  ['a sign that could be of a token', `${RESET}_`, RESET],
  ['a fragment that was cut off, its sign left over', '/login?step=activate%23', '/login?step=activate'],
  ['the same in the path', '/review%23', '/review'],
])('a mailed link comes back from %s', (_, changed, sent) => expect(mend(changed)).toBe(sent))

it.each([
  RESET,
  REVIEW,
  `/login?step=email#token=${TOKEN}`,
  '/login?step=reset#token=cut',
  '/login?step=activate',
  '/login?step=forgot',
  '/login?redirect=%2Fbranches%3Fpage%3D2',
  '/login',
  '/login/',
  '/review',
  `/dashboard#token=${TOKEN}`,
  `/reviews%23token=${TOKEN}`,
])('%s is left as it is', (address) => expect(mend(address)).toBeUndefined())
