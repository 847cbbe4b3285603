/** A promise together with what settles it. (`Promise.withResolvers` is missing in Node 20.) */
export type Resolvable<value> = {
  readonly promise: Promise<value>
  resolve(value: value): void
  reject(error: unknown): void
}

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
 * Lets a promise run to its end without anybody waiting. For messages whose loss changes nothing here: the other side
 * learns later, or from the expiry.
 */
export function inBackground(promise: Promise<unknown>): void {
  promise.catch(() => {})
}
