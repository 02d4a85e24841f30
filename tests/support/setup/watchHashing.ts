import type * as Argon2 from '@node-rs/argon2'
import { vi } from 'vitest'

// Tests count the checks of a password, or hold one up. Mocked here and once, since the server's modules are loaded once for many
// test files: the mock of one file would come too late, and another one would not be the server's.
vi.mock('@node-rs/argon2', async (importOriginal) => {
  const original = await importOriginal<typeof Argon2>()
  const loaded = globalThis as { watchedVerify?: typeof Argon2.verify }
  loaded.watchedVerify ??= vi.fn(original.verify)
  // What a password costs is a matter of its own file; here it would be most of the time.
  const hash: typeof Argon2.hash = (password, options) =>
    original.hash(password, { ...options, memoryCost: 8, timeCost: 1 })
  return { ...original, hash, verify: loaded.watchedVerify }
})
