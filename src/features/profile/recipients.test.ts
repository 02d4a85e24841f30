import { expect, it } from 'vitest'
import { acceptTypedRecipients } from './recipients.ts'

const A = 'a@test.example'
const B = 'b@test.example'
const take = (typed: string, recipients = '') => acceptTypedRecipients({ recipients, typed_recipients: typed })

it('takes addresses between commas, in small letters and each once', () =>
  expect(take(` A@test.example,${B} , ${B},`, A)).toEqual({ recipients: `${A}, ${B}`, typed_recipients: '' }))

it('leaves in the field what is no address, and takes the others', () =>
  expect(take(`${A}, nobody`)).toEqual({ recipients: A, typed_recipients: 'nobody' }))

it.each([';', ' ', '\n', '|'])('takes nothing of addresses with %j between', (separator) => {
  const typed = `${A}${separator}${B}`
  expect(take(typed)).toEqual({ recipients: '', typed_recipients: typed })
})

it('takes nothing past twenty', () => {
  const twenty = Array.from({ length: 20 }, (_, at) => `p${at}@test.example`).join(', ')
  expect(take(A, twenty)).toEqual({ recipients: twenty, typed_recipients: A })
  expect(take('p3@test.example', twenty)).toEqual({ recipients: twenty, typed_recipients: '' })
})

it('changes nothing where nothing is typed', () =>
  expect(take('', `${A}, ${B}`)).toEqual({ recipients: `${A}, ${B}`, typed_recipients: '' }))
