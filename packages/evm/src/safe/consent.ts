/** Whether the visitor connected the Safe that the page is shown in. A Safe itself tells every page who it is. */
export type Consent = { give(): void; withdraw(): void; given(): boolean }

const key = '@latchkey/safe'

/** Remembers it in the page's own storage, and for as long as the page lives where there is none. */
export function createConsent(page: EventTarget): Consent {
  const storage = storageOf(page)
  let held = storage?.getItem(key) === 'connected'
  return {
    give() {
      held = true
      attempt(() => storage?.setItem(key, 'connected'))
    },
    withdraw() {
      held = false
      attempt(() => storage?.removeItem(key))
    },
    given: () => held,
  }
}

/** Frames of other sites are often forbidden to keep anything. */
function storageOf(page: EventTarget): Storage | undefined {
  try {
    const storage: Storage | undefined = Reflect.get(page, 'localStorage')
    storage?.getItem(key)
    return storage
  } catch {
    return undefined
  }
}

function attempt(act: () => void): void {
  try {
    act()
  } catch {
    // It is forgotten with the page then.
  }
}
