import { Refusal } from '../services/Refusal.ts'

/**
 * What `read` takes from the body of a request, within `ms`. Throws Refusal REQUEST_TIMEOUT when it is not all there by then, and
 * REQUEST_INCOMPLETE when whoever sends it hangs up: neither is a fault of ours, nor of the database.
 */
export async function readWithTimeout<T>(read: () => Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(new Refusal('REQUEST_TIMEOUT')), ms)
  })
  try {
    return await Promise.race([read(), late])
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('REQUEST_INCOMPLETE')
  } finally {
    clearTimeout(timer)
  }
}
