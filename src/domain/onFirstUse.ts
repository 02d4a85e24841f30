/**
 * Returns a function that makes the object at its first call, and keeps it. For Intl formatters: a phone takes milliseconds to make one, and a
 * screen uses one or two.
 */
export function onFirstUse<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => (made ??= make())
}
