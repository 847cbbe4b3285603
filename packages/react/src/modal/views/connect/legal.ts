import { companion, type Latchkey } from '@latchkey/core'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { useLatchkey } from '../../../context.ts'
import { useStore } from '../../../useStore.ts'

/** Which of an app's documents there are; undefined when there is none. */
export type Documents = 'both' | 'terms' | 'privacy' | undefined

/** What an app wants its visitors to agree to. */
export function documentsOf({ settings }: Latchkey): Documents {
  const { termsUrl, privacyUrl } = settings.legal
  if (termsUrl !== undefined) return privacyUrl === undefined ? 'terms' : 'both'
  return privacyUrl === undefined ? undefined : 'privacy'
}

export type Agreement = {
  /** How the visitor is told: by a box to tick, by a sentence at the end, or not at all. */
  form: 'box' | 'footer' | 'none'
  /** A box that has to be ticked is not, so that no way in can be chosen. */
  pending: boolean
  agreed: boolean
  setAgreed(agreed: boolean): void
}

const agreedKey = Symbol('agreed')

/** Whether the visitor agreed, for as long as the instance lives. */
export function useAgreement(): Agreement {
  const latchkey = useLatchkey()
  const store = companion(latchkey, agreedKey, (): StoreApi<boolean> => createStore(() => false))
  const agreed = useStore(store)
  const { legalCheckbox } = latchkey.settings.features
  const form = documentsOf(latchkey) === undefined ? 'none' : legalCheckbox ? 'box' : 'footer'
  return { form, pending: form === 'box' && !agreed, agreed, setAgreed: (next) => store.setState(next, true) }
}
