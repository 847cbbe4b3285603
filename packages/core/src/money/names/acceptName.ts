import type { Latchkey } from '../../instance/latchkey.ts'
import { forgetNames } from './listNames.ts'
import { postNameMessage, toActionMessage } from './postNameMessage.ts'

/**
 * Accepts a name that is offered to the active account, which then owns it. `listNameOffers` returns such names.
 *
 * @throws LatchkeyError the errors of `renewName`
 * @example await acceptName(latchkey, 'user.latchkey.example')
 */
export async function acceptName(latchkey: Latchkey, name: string): Promise<void> {
  const { account } = await postNameMessage(latchkey, toActionMessage('accept', name))
  forgetNames(latchkey, account)
}
