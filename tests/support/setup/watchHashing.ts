import type * as Argon2 from '@node-rs/argon2'
import { vi } from 'vitest'

// Lets tests count the checks of a password, or delay one. Mocked once for all, because the server's modules are loaded once for many test files.
// The mock of one file would come too late, and that of another file would not be the one that the server uses.
vi.mock('@node-rs/argon2', async (importOriginal) => {
  const original = await importOriginal<typeof Argon2>()
  const loaded = globalThis as { watchedVerify?: typeof Argon2.verify }
  loaded.watchedVerify ??= vi.fn(original.verify)
  // Uses the lowest cost: the real one has tests of its own and would take most of the time here.
  const hash: typeof Argon2.hash = (password, options) =>
    original.hash(password, { ...options, memoryCost: 8, timeCost: 1 })
  return { ...original, hash, verify: loaded.watchedVerify }
})
