/*
 * Web Locks, and what happens in a browser without them: the work is done all the same. Whoever uses these says at the call why
 * two tabs that do it at once do no harm. `locked` tells the work whether it is really alone.
 */

/** Does the work once the lock is free. */
export function withLock<T>(
  name: string,
  work: (locked: boolean) => Promise<T>,
  mode: LockMode = 'exclusive',
): Promise<T> {
  if (!navigator.locks) return work(false)
  return navigator.locks.request(name, { mode }, () => work(true)) as Promise<T>
}

/** Does the work if the lock is free now; undefined, and nothing done, when somebody else has it. */
export function withFreeLock<T>(name: string, work: (locked: boolean) => Promise<T>): Promise<T | undefined> {
  if (!navigator.locks) return work(false)
  const ifFree = (lock: unknown) => (lock ? work(true) : undefined)
  return navigator.locks.request(name, { ifAvailable: true }, ifFree) as Promise<T | undefined>
}
