import { tryOrUndefined } from '@latchkey/adapter-kit'

/** Remembers if the user connected the Safe around the page. A Safe itself reveals its address to every page. */
export type SafeConsent = { grant(): void; revoke(): void; isGranted(): boolean }

const storageKey = '@latchkey/safe'

/** Keeps the consent in localStorage, or until the page is closed if the browser forbids the storage. */
export function createSafeConsent(page: EventTarget): SafeConsent {
  const storage = findStorage(page)
  let isGranted = storage?.getItem(storageKey) === 'connected'
  return {
    grant() {
      isGranted = true
      tryOrUndefined(() => storage?.setItem(storageKey, 'connected'))
    },
    revoke() {
      isGranted = false
      tryOrUndefined(() => storage?.removeItem(storageKey))
    },
    isGranted: () => isGranted,
  }
}

/** Browsers often forbid storage to frames of other sites. */
function findStorage(page: EventTarget): Storage | undefined {
  return tryOrUndefined(() => {
    const storage: Storage | undefined = Reflect.get(page, 'localStorage')
    storage?.getItem(storageKey)
    return storage
  })
}
