import { expect, it, vi } from 'vitest'
import { lackMessages } from './lackMessages.ts'

function mayBeCleared(standalone: boolean | undefined) {
  vi.stubGlobal('navigator', standalone === undefined ? {} : { standalone })
  return lackMessages({ is: 'persistence' }).long
}

it('a browser of an iPhone or iPad is said to clear what is kept after seven days, and an app on its home screen is not', () => {
  expect(mayBeCleared(false)).toContain('after seven days of use without the portal')
  for (const other of [true, undefined]) expect(mayBeCleared(other)).toContain('If this device runs out of space')
})
