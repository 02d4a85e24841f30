import { afterEach, beforeEach, expect, vi } from 'vitest'

/**
 * Fails a test in which the code complains on the console, unless the test watches for the complaint with its own `vi.spyOn(console, …)`: a second
 * spy takes these calls over.
 */
const complaints: string[] = []

beforeEach(() => {
  complaints.length = 0
  for (const level of ['error', 'warn'] as const) {
    vi.spyOn(console, level).mockImplementation(
      (...said) => void complaints.push(`${level}: ${said.map(String).join(' ')}`),
    )
  }
})

afterEach(() => {
  const said = [...complaints]
  vi.restoreAllMocks()
  expect(said, 'unexpected console output').toEqual([])
})
