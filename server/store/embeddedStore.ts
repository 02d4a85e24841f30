import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock } from '../Clock.ts'
import { Unavailable, type FileStore, type ObjectName } from './FileStore.ts'
import { isSignedByUs, presigner, type Bucket, type SignedRequest } from './presignedUrl.ts'

/** Below the portal's own address; `server/http/mountFiles.ts` answers there. */
export const FILES_PATH = '/files'

export interface EmbeddedStore extends FileStore {
  /** Whether a request to FILES_PATH carries a signature of ours that covers it whole and is still good. */
  isSigned(request: SignedRequest): Promise<boolean>
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

/** Headers that a presigned PUT has to bring as they were signed. */
const PUT_HEADERS = ['content-length', 'content-type', 'if-none-match'] as const

/** Files in a folder, behind the same signed addresses that S3 has. */
export function embeddedStore({ directory, publicUrl, secret, clock }: EmbeddedStoreOptions): EmbeddedStore {
  const bucket: Bucket = {
    url: publicUrl + FILES_PATH,
    region: 'embedded',
    accessKeyId: 'portal',
    secretAccessKey: secret,
  }
  const { put, get } = presigner(bucket, clock, { once: true })
  const pathOf = (name: ObjectName) => join(directory, name)
  return {
    origin: undefined,
    presignPut: put,
    presignGet: get,
    isSigned: (request) => isSignedByUs(bucket, request, request.method === 'PUT' ? PUT_HEADERS : [], clock.now()),
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
