import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../Clock.ts'
import { PUT_SECONDS, Unavailable, type FileStore, type ObjectName } from './FileStore.ts'

/** The path of presigned addresses. `server/http/mountFiles.ts` answers there. */
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
  /** Reads the grant from the token of an address; `undefined` for a foreign or expired token. */
  readGrant(token: string): Promise<Grant | undefined>
  /**
   * Writes the body of a presigned PUT. The file cannot be read before its last piece is written. Returns false, without reading `pieces`, when the
   * file exists or another PUT is writing it. When `pieces` throws, throws the same error and keeps nothing.
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
    read: (name, maxBytes) => readStart(pathOf(name), maxBytes).catch(rejectAsUnavailable),
    write: (name, bytes) => replaceFile(pathOf(name), bytes).catch(rejectAsUnavailable),
    receive: (name, pieces) => writeOnce(pathOf(name), pieces).catch(rejectDiskErrorAsUnavailable),
    remove: (name) => removeWithPart(pathOf(name)).catch(rejectAsUnavailable),
  }
}

/** The request may be tried again when an operator has fixed the full or broken disk. */
const rejectAsUnavailable = (error: unknown) => Promise.reject(new Unavailable('STORE_UNAVAILABLE', error))

/** Errors of system calls come from the disk, all others from the sender. */
const rejectDiskErrorAsUnavailable = (error: unknown) =>
  error instanceof Error && 'syscall' in error ? rejectAsUnavailable(error) : Promise.reject(error as Error)

async function readStart(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
  try {
    return (await readFile(path)).subarray(0, maxBytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Replaces a file in one step: readers never see half of it, and two writers do not disturb each other. */
async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(draft, bytes, { mode: 0o600, flush: true })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** The name of an unfinished file. A dead server may leave one, so it is removed together with the file. */
const partOf = (path: string) => `${path}.part`

/**
 * Writes a file once, even if several servers share the folder. `wx` lets only one of two writers begin; the link fails if another writer has
 * finished since the first check.
 */
async function writeOnce(path: string, pieces: AsyncIterable<Uint8Array>): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const part = partOf(path)
  if ((await exists(path)) || !(await hasCreated(writeFile(part, '', { flag: 'wx', mode: 0o600 })))) return false
  try {
    await writeFile(part, pieces, { flag: 'r+', flush: true })
    return await hasCreated(link(part, path))
  } finally {
    await rm(part, { force: true })
  }
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Waits until a file is created. Returns false when the file existed before. */
async function hasCreated(creation: Promise<void>): Promise<boolean> {
  try {
    await creation
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function removeWithPart(path: string): Promise<void> {
  await rm(path, { force: true })
  await rm(partOf(path), { force: true })
}
