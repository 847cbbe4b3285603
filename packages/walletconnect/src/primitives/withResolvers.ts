/** A promise together with the functions that settle it. */
export type Resolvable<value> = {
  readonly promise: Promise<value>
  resolve(value: value): void
  reject(error: unknown): void
}

/** Creates a promise that its caller settles. (`Promise.withResolvers` is missing in Node 20.) */
export function withResolvers<value>(): Resolvable<value> {
  let resolve: (value: value) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<value>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}

/**
 * Lets a promise settle unobserved and ignores its rejection. For messages whose loss changes nothing on this side: the
 * other side learns about it later, or by the expiry.
 */
export function runInBackground(promise: Promise<unknown>): void {
  promise.catch(() => {})
}
