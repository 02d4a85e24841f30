import * as v from 'valibot'
import { expect, it } from 'vitest'
import { email } from '../fieldSchemas.ts'
import { accountNumber, bankBranchCode, bankCode, phone, postalCode, uen } from './singaporeNumbers.ts'

/** Returns the schema's output, or its first message. */
function read(schema: v.GenericSchema<string, string>, typed: string): string {
  const { success, output, issues } = v.safeParse(schema, typed)
  return success ? output : `: ${issues[0].message}`
}

// UENs published by their owners: banks, an exchange, a telephone company, a co-operative, a foreign company, a sole proprietor.
it.each([
  '196800306E',
  '193200032W',
  '193500026Z',
  '199201624D',
  '00192200M',
  'S16FC0121D',
  'T01FC6132D',
  'T18LL1687K',
])('takes the UEN %s, whose last letter checks the others', (number) => expect(read(uen, number)).toBe(number))

it('takes a UEN in small letters, with blanks and with marks that nobody sees', () => {
  expect(read(uen, ' 1968 00306e ')).toBe('196800306E')
  expect(read(uen, '\u202A196800306E\u202C')).toBe('196800306E')
})

it.each(['196800306F', '199912345', 'ABCDEFGHI', '000000000', 'AAAAAAAAAA', '53312345K', 'T16FC0121D', 'S16FC0I21D'])(
  'takes no UEN of %j, in which a letter or digit is wrong',
  (number) => expect(read(uen, number)).toMatch(/^: must be a UEN/),
)

it('says of a personal NRIC that it is none of a business', () => {
  for (const nric of ['S1234567D', 't0123456a', 'M1234567K'])
    expect(read(uen, nric)).toMatch(/^: must not be a personal NRIC/)
})

it.each([
  ['9123 4567', '9123 4567'],
  ['\u202A+65 6123 4567\u202C', '+65 6123 4567'],
  ['9123\u20134567', '9123-4567'],
  ['９１２３ ４５６７', '9123 4567'],
  ['6123\u00A04567', '6123 4567'],
  ['(+65) 6123 4567', '(+65) 6123 4567'],
  ['65 6123 4567', '65 6123 4567'],
  ['6123 4567 ext 12', '6123 4567 ext 12'],
  ['+65 6123-4567 x12', '+65 6123-4567 x12'],
  ['1800 123 4567', '1800 123 4567'],
  ['+60 3-2161 8888', '+60 3-2161 8888'],
  ['+44 (0)20 7946 0958', '+44 (0)20 7946 0958'],
])('reads the phone number %j as %j', (typed, meant) => expect(read(phone, typed)).toBe(meant))

it.each([
  ['00000000', 'must be a Singapore number of 8 digits, or begin with + and the country code'],
  ['12345678', 'must be a Singapore number of 8 digits, or begin with + and the country code'],
  ['99999999999999999999', 'must be a Singapore number of 8 digits, or begin with + and the country code'],
  ['+65 9123', 'must be a Singapore number of 8 digits, or begin with + and the country code'],
  ['6123 4567 / 9123 4567', 'must be one number'],
  ['ask Nadia', 'must be digits'],
  ['\u200B', 'is required'],
])('takes no phone number of %j', (typed, words) => expect(read(phone, typed)).toBe(`: ${words}`))

it.each([
  ['S(048616)', '048616'],
  ['238 801', '238801'],
  ['Singapore 048616', '048616'],
  ['s018989', '018989'],
  ['829999', '829999'],
])('reads the postal code %j as %s', (typed, meant) => expect(read(postalCode, typed)).toBe(meant))

it.each([
  ['18989', 'must be exactly 6 digits: 018989?'],
  ['12', 'must be exactly 6 digits'],
  ['000000', 'must be a postal code of Singapore'],
  ['999999', 'must be a postal code of Singapore'],
  ['8300', 'must be exactly 6 digits'],
  ['KL 50450', 'must be digits'],
])('takes no postal code of %j', (typed, words) => expect(read(postalCode, typed)).toBe(`: ${words}`))

it('takes the numbers of a bank as they are copied, and none that is no number', () => {
  expect(read(accountNumber, '052-123456-7')).toBe('0521234567')
  expect(read(accountNumber, '1')).toBe(': must be at least 6 digits')
  expect(read(accountNumber, '0000000')).toBe(': must not be zeros only')
  expect(read(bankCode, '7171')).toBe('7171')
  expect(read(bankCode, '0000')).toBe(': must not be zeros only')
  // The branch code of Mizuho, BNP Paribas and First Commercial Bank.
  expect(read(bankBranchCode, '000')).toBe('000')
})

it.each([
  "m.d'cruz@shop.example",
  'sales&co@shop.example',
  'till@my--shop.example',
  'till@xn--fiqs8s.xn--fiqs8s',
  'A+b_c-d@shop.example',
])('takes the email %s', (address) => expect(read(email, address)).toBe(address.toLowerCase()))

it.each([
  'till',
  'till@shop',
  'till@.example',
  'a..b@shop.example',
  '.a@shop.example',
  'a b@shop.example',
  'a@shop.1',
  'a@-shop.example',
  'a@b@shop.example',
])('takes no email of %j', (address) => expect(read(email, address)).toBe(': invalid email'))
