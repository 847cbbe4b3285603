import type { Latchkey } from '@latchkey/core'
import { mountModal, type PageLook } from '@latchkey/elements'
import { inject, type App, type InjectionKey, type Plugin } from 'vue'

/** Several copies of this package find the same instance. */
const key: InjectionKey<Latchkey> = Symbol.for('@latchkey/vue')

/**
 * Provides an instance to the composables and buttons of an app, and renders its modal. In a browser, it starts the
 * instance; unmounting the app stops it.
 *
 * @param look `theme` and `locale` of the buttons and the modal
 * @example
 * import { createApp } from 'vue'
 * createApp({}).use(latchkeyPlugin(latchkey, { theme: 'dark' }))
 */
export function latchkeyPlugin(latchkey: Latchkey, look: PageLook = {}): Plugin<[]> {
  return {
    install(app: App) {
      app.provide(key, latchkey)
      if (typeof document === 'undefined') return
      const unmountModal = mountModal(latchkey, look)
      const unmountApp = app.unmount
      app.unmount = () => {
        unmountApp()
        unmountModal()
      }
    },
  }
}

/**
 * Returns the instance of the app, to pass to the actions of `@latchkey/core`.
 *
 * @throws Error in an app without `latchkeyPlugin`
 * @example const latchkey = useLatchkey()
 */
export function useLatchkey(): Latchkey {
  const latchkey = inject(key, undefined)
  if (latchkey === undefined) throw new Error('Call app.use(latchkeyPlugin(latchkey)) before you mount the app.')
  return latchkey
}
