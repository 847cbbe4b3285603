import type { Latchkey } from '@latchkey/core'
import { modalOf } from '@latchkey/modal'
import type { StoreApi } from 'zustand/vanilla'
import type { AppKitOptions } from '../options/appKitOptions.ts'

/**
 * Removes alerts about mistakes of the app while the option `debug` is false. The request to change the network is for the
 * user, and stays.
 *
 * @returns a function that ends it
 */
export function hideAlerts({
  latchkey,
  options,
}: {
  latchkey: Latchkey
  options: Pick<StoreApi<AppKitOptions>, 'getState'>
}): () => void {
  const { alerts } = modalOf(latchkey)
  return alerts.subscribe((all) => {
    if (options.getState().debug !== false) return
    const left = all.filter(({ code }) => code === 'network-unsupported')
    if (left.length < all.length) alerts.setState(left, true)
  })
}
