import type { KeyShareStores } from '../wallet/enrol.ts'

/** A call of a store. Its step names store and method, such as `auth.commit`. */
export type StoreCall = { readonly step: string; run(): Promise<unknown> }

/** Returns stores whose every call goes through a function of the test, which runs it or not. */
export function interceptStores(
  { auth, shares, device }: KeyShareStores,
  intercept: (call: StoreCall) => Promise<unknown>,
): KeyShareStores {
  const wrap = <store extends object>(name: string, store: store): store =>
    new Proxy(store, {
      get(target, method) {
        const run: unknown = Reflect.get(target, method)
        if (typeof run !== 'function') return run
        return (...args: unknown[]) =>
          intercept({ step: `${name}.${String(method)}`, run: async () => Reflect.apply(run, target, args) })
      },
    })
  return { auth: wrap('auth', auth), shares: wrap('shares', shares), device: wrap('device', device) }
}
