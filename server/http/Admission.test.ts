import { expect, test } from 'vitest'
import { Admission } from './Admission.ts'

const hundredTimes = (admission: Admission, isGone: boolean) =>
  Promise.all(Array.from({ length: 100 }, () => admission.comeBackIn('uploads', 1, () => isGone)))

test('who has hung up before it was refused takes nobody a time to come back', async () => {
  const admission = new Admission({ longestWaitMs: () => 0, writability: () => 'writable' })
  await hundredTimes(admission, true)
  expect(Math.max(...(await hundredTimes(admission, false)))).toBe(2)
  expect(Math.max(...(await hundredTimes(admission, false)))).toBe(3)
})
