import { createContext, useContext } from 'react'
import type { Strings } from './strings.ts'

/**
 * The texts of the current language. Only the modal provides them, so that a page with a closed modal doesn't load them.
 */
export const ModalMessagesContext: React.Context<Strings | undefined> = createContext<Strings | undefined>(undefined)

/**
 * Returns the texts of the modal in the current language.
 *
 * @throws Error outside of the modal
 */
export function useModalMessages(): Strings {
  const messages = useContext(ModalMessagesContext)
  if (messages === undefined) throw new Error('Use this hook only in components that the modal renders.')
  return messages
}
