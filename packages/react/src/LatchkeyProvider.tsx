import { abandonModal, start, type Latchkey } from '@latchkey/core'
import { useEffect, useMemo, type ReactElement, type ReactNode } from 'react'
import { useChunk, useChunkOf } from './chunks.ts'
import { SurroundingsContext, useLatchkey } from './context.ts'
import { loadModal } from './modal/loadModal.ts'
import { loadLanguages } from './strings/loadLanguages.ts'
import type { StringOverrides } from './strings/strings.ts'
import { chosenTheme, recallTheme, type Theme } from './theme.ts'
import { useLooks } from './useLooks.ts'
import { useStore } from './useStore.ts'

export type LatchkeyProviderProps = {
  /** Made once by `createLatchkey`, outside of the component. */
  latchkey: Latchkey
  /** Goes before the theme that the visitor chose with `useTheme`; `system` when there is neither. */
  theme?: Theme
  /** A language tag, or `auto` for the browser's languages; English when left out, or when there is none such. */
  locale?: string
  /** Texts of the app's own, by group and name. */
  strings?: StringOverrides
  children?: ReactNode
}

const english = { locale: 'en', direction: 'ltr' } as const

/**
 * Starts an instance and hands it to the hooks and the button below; draws its modal once something opens it.
 *
 * @example
 * <LatchkeyProvider latchkey={latchkey}>
 *   <ConnectButton />
 * </LatchkeyProvider>
 */
export function LatchkeyProvider({
  latchkey,
  theme,
  locale = 'en',
  strings,
  children,
}: LatchkeyProviderProps): ReactElement {
  const chosen = useStore(chosenTheme(latchkey)).theme
  const languages = useChunkOf(latchkey, loadLanguages, locale !== 'en')
  const surroundings = useMemo(
    () => ({
      latchkey,
      theme: theme ?? chosen ?? 'system',
      strings,
      ...(locale === 'en' || languages === 'failed' ? english : languages?.languageFor(locale)),
    }),
    [latchkey, theme, chosen, locale, languages, strings],
  )
  useLooks(surroundings)
  useEffect(() => {
    recallTheme(latchkey)
    return start(latchkey)
  }, [latchkey])
  return (
    <SurroundingsContext value={surroundings}>
      {children}
      <ModalOutlet />
    </SurroundingsContext>
  )
}

/** Nothing at all, until a modal or a toast is wanted or about to be: what the first press needs is then in place. */
function ModalOutlet(): ReactElement | null {
  const latchkey = useLatchkey()
  const { open } = useStore(latchkey.modal)
  const toast = useStore(latchkey.toast)
  const notice = useStore(latchkey.alerts).some(({ code, dismissed }) => code === 'network-unsupported' && !dismissed)
  const modal = useChunk(loadModal, open || toast.open || notice)
  // The button says that it could not be fetched, and the next press tries again.
  useEffect(() => {
    if (modal === 'failed') abandonModal(latchkey)
  }, [latchkey, modal])
  return modal === undefined || modal === 'failed' ? null : <modal.FloatingModal />
}
