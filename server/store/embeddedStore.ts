import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../Clock.ts'
import { PUT_SECONDS, Unavailable, type FileStore, type ObjectName } from './FileStore.ts'

/** Below the portal's own address; `server/http/mountFiles.ts` answers there. */
export const FILES_PATH = '/files'

/** The request that a presigned address allows, read from its token. */
export interface Grant {
  name: ObjectName
  method: 'GET' | 'PUT'
  contentType: string
  /** Set for a PUT. */
  contentLength?: number
  /** Set for a GET. */
  contentDisposition?: string
}

export interface EmbeddedStore extends FileStore {
  /** Reads the grant in an address's token; `undefined` for a foreign or expired token. */
  readGrant(token: string): Promise<Grant | undefined>
  /**
   * Writes the body of a presigned PUT, piece by piece; the file cannot be read before its last piece. Returns false when it exists already or
   * another PUT writes it; then nothing is taken from `pieces`. If `pieces` throws, throws the same and keeps nothing.
   */
  receive(name: ObjectName, pieces: AsyncIterable<Uint8Array>): Promise<boolean>
}

export interface EmbeddedStoreOptions {
  directory: string
  publicUrl: string
  /** Signs and checks addresses; the same on every server that shares the folder. */
  secret: string
  clock: Clock
}

const ALGORITHM = 'HS256'

/** Stores files in a folder, behind addresses that expire like those of S3. */
export function embeddedStore({ directory, publicUrl, secret, clock }: EmbeddedStoreOptions): EmbeddedStore {
  const key = Buffer.from(secret)
  const pathOf = (name: ObjectName) => join(directory, name)

  async function addressOf(grant: Grant, expiresAt: Date): Promise<string> {
    const signing = new SignJWT({ ...grant }).setProtectedHeader({ alg: ALGORITHM }).setExpirationTime(expiresAt)
    return `${publicUrl}${FILES_PATH}/${grant.name}?token=${await signing.sign(key)}`
  }
  const secondsFromNow = (seconds: number) => new Date(clock.now().getTime() + seconds * 1_000)

  return {
    origin: undefined,
    async presignPut(name, terms) {
      const expiresAt = secondsFromNow(PUT_SECONDS)
      const url = await addressOf({ name, method: 'PUT', ...terms }, expiresAt)
      return { url, headers: { 'content-type': terms.contentType }, expiresAt }
    },
    presignGet: (name, terms, seconds) => addressOf({ name, method: 'GET', ...terms }, secondsFromNow(seconds)),
    async readGrant(token) {
      try {
        const checks = { algorithms: [ALGORITHM], currentDate: clock.now(), requiredClaims: ['exp'] }
        return (await jwtVerify<Grant>(token, key, checks)).payload
      } catch {
        return undefined
      }
    },
    read: (name, atMost) => readAtMost(pathOf(name), atMost).catch(storeUnavailable),
    write: (name, bytes) => replace(pathOf(name), bytes).catch(storeUnavailable),
    receive: (name, pieces) => writeOnce(pathOf(name), pieces).catch(orStoreUnavailable),
    remove: (name) => removeWhole(pathOf(name)).catch(storeUnavailable),
  }
}

/** An operator has to fix a full or broken disk; the request may then be tried again. */
const storeUnavailable = (error: unknown) => Promise.reject(new Unavailable('STORE_UNAVAILABLE', error))

/** The sender may have failed instead of the disk. */
const orStoreUnavailable = (error: unknown) =>
  error instanceof Error && 'syscall' in error ? storeUnavailable(error) : Promise.reject(error as Error)

async function readAtMost(path: string, atMost: number): Promise<Uint8Array | undefined> {
  try {
    return (await readFile(path)).subarray(0, atMost)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Replaces a file in one step: readers never see half of it, and two writers do not disturb each other. */
async function replace(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const beside = `${path}.${randomUUID()}`
  try {
    await writeFile(beside, bytes, { mode: 0o600, flush: true })
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

/** The name of an unfinished file; one left by a dead server is removed with the file. */
const partOf = (path: string) => `${path}.part`

/**
 * Writes a file once. `wx` decides between two writers, on every server of the folder; the link decides between one that finishes and one that
 * begins then.
 */
async function writeOnce(path: string, pieces: AsyncIterable<Uint8Array>): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const part = partOf(path)
  if ((await isThere(path)) || !(await happensOnce(writeFile(part, '', { flag: 'wx', mode: 0o600 })))) return false
  try {
    await writeFile(part, pieces, { flag: 'r+', flush: true })
    return await happensOnce(link(part, path))
  } finally {
    await rm(part, { force: true })
  }
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Returns false when it existed before. */
async function happensOnce(making: Promise<void>): Promise<boolean> {
  try {
    await making
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function removeWhole(path: string): Promise<void> {
  await rm(path, { force: true })
  await rm(partOf(path), { force: true })
}
