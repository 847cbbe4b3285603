import type { Latchkey } from '../../instance/latchkey.ts'
import { forgetNames } from './listNames.ts'
import { postNameMessage, toActionMessage } from './postNameMessage.ts'

/**
 * Gives a name of the active account back. It resolves to nothing then. For 90 days, only the account can register it again.
 *
 * @throws LatchkeyError the errors of `renewName`
 * @example await releaseName(latchkey, 'user.latchkey.example')
 */
export async function releaseName(latchkey: Latchkey, name: string): Promise<void> {
  const { account } = await postNameMessage(latchkey, toActionMessage('release', name))
  forgetNames(latchkey, account)
}
