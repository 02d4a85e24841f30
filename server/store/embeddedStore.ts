import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../Clock.ts'
import { PUT_SECONDS, Unavailable, type FileStore, type ObjectName } from './FileStore.ts'

/** Below the portal's own address; `server/http/mountFiles.ts` answers there. */
export const FILES_PATH = '/files'

/** The request that an address of ours is for, as its token says. */
export interface Grant {
  name: ObjectName
  method: 'GET' | 'PUT'
  contentType: string
  /** Of a PUT. */
  contentLength?: number
  /** Of a GET. */
  contentDisposition?: string
}

export interface EmbeddedStore extends FileStore {
  /** What the token of an address allows; `undefined` for one that is not ours, or not good any more. */
  readGrant(token: string): Promise<Grant | undefined>
  /**
   * Writes what a presigned PUT brings, piece by piece; nobody reads it before its last. False when it is there already, or another
   * one brings it, and then nothing is taken from `pieces`. Throws what they throw, and keeps nothing of them.
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

/** Files in a folder, behind addresses that are good for a while like those of S3. */
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

/** A disk that is full or fails is put right by an operator, and what was asked for may be tried again. */
const storeUnavailable = (error: unknown) => Promise.reject(new Unavailable('STORE_UNAVAILABLE', error))

/** Whoever sends may have failed as well. */
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

/** Nobody ever sees half of it, and two at once do not disturb each other. */
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

/** Of a file that is under way; what a server that died has left of it goes with the file. */
const partOf = (path: string) => `${path}.part`

/** `wx` decides between two at once, on every server of the folder; the link between one that is whole and one that begins then. */
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

/** False when it was there before. */
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
