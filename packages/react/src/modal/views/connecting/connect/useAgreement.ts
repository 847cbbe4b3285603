import type { Latchkey } from '@latchkey/core'
import { defineFeature, getFeature, internalsOf } from '@latchkey/core/internal'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { useLatchkey } from '../../../../context.ts'
import { useStore } from '../../../../useStore.ts'

/** The legal documents of an app. Undefined if it has none. */
export type Documents = 'both' | 'terms' | 'privacy' | undefined

/** Returns the documents that users must accept. */
export function documentsOf(latchkey: Pick<Latchkey, 'internal'>): Documents {
  const { termsUrl, privacyUrl } = internalsOf(latchkey).settings.legal
  if (termsUrl !== undefined) return privacyUrl === undefined ? 'terms' : 'both'
  return privacyUrl === undefined ? undefined : 'privacy'
}

export type Agreement = {
  /** The form of the notice: a box to tick, a sentence at the end, or none. */
  form: 'box' | 'footer' | 'none'
  /** True while a required box is not ticked. Nothing can be selected then. */
  pending: boolean
  agreed: boolean
  setAgreed(agreed: boolean): void
}

const agreedStore = defineFeature((): StoreApi<boolean> => createStore(() => false))

/** Returns the agreement of the user. It is kept as long as the instance lives. */
export function useAgreement(): Agreement {
  const latchkey = useLatchkey()
  const store = getFeature(latchkey, agreedStore)
  const agreed = useStore(store)
  const { legalCheckbox } = internalsOf(latchkey).settings.features
  const form = documentsOf(latchkey) === undefined ? 'none' : legalCheckbox ? 'box' : 'footer'
  return { form, pending: form === 'box' && !agreed, agreed, setAgreed: (next) => store.setState(next, true) }
}
