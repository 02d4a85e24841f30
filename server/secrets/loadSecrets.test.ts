import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freshPem } from '../../tests/support/server/testSecrets.ts'
import { ConfigError, readConfig } from '../config.ts'
import { loadSecrets } from './loadSecrets.ts'
import { readPasswordKey } from './secrets.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'secrets-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const NOW = new Date('2026-11-21T02:00:00Z')
const UNTIL = new Date('2026-11-21T02:10:00Z')
const load = (env: Record<string, string> = {}) => loadSecrets(readConfig({ DATA_DIR: folder, ...env }), NOW)
const file = (name: string) => join(folder, 'secrets', name)

describe('AUT-09: the password key', () => {
  it('made on the first start stays, and has none before it', () => {
    const first = load()
    expect(load().passwordKey.id).toBe(first.passwordKey.id)
    expect(first.previousPasswordKey).toBeUndefined()
  })

  it('renamed in the folder is followed by a new one, and good for ten minutes more', () => {
    const first = load()
    renameSync(file('password-key.pem'), file('password-key-previous.pem'))
    const second = load()
    expect(second.passwordKey.id).not.toBe(first.passwordKey.id)
    expect(second.previousPasswordKey).toMatchObject({ id: first.passwordKey.id, until: UNTIL })
  })

  it('of the environment has its predecessor there too, whatever lies in the folder', () => {
    load()
    renameSync(file('password-key.pem'), file('password-key-previous.pem'))
    const [key, previous] = [freshPem(), freshPem()]
    expect(load({ PASSWORD_KEY: key }).previousPasswordKey).toBeUndefined()
    const rotated = load({ PASSWORD_KEY: key, PASSWORD_KEY_PREVIOUS: previous.replaceAll('\n', '\\n') })
    expect(rotated.passwordKey.id).toBe(readPasswordKey(key).id)
    expect(rotated.previousPasswordKey).toMatchObject({ id: readPasswordKey(previous).id, until: UNTIL })
  })

  it('that is none is one clear line, which names the right one', () => {
    const bad = (name: string) =>
      new ConfigError(`${name} must be an RSA private key of 2048 bits or more, in PKCS8 PEM`)
    expect(() => load({ PASSWORD_KEY: 'a key' })).toThrow(bad('PASSWORD_KEY'))
    expect(() => load({ PASSWORD_KEY: freshPem(), PASSWORD_KEY_PREVIOUS: 'a key' })).toThrow(
      bad('PASSWORD_KEY_PREVIOUS'),
    )
    load()
    writeFileSync(file('password-key-previous.pem'), 'a key')
    expect(() => load()).toThrow(bad('PASSWORD_KEY_PREVIOUS'))
  })
})
