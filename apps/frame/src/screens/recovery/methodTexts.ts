import type { Messages } from '../../messages/loadFrameMessages.ts'
import type { RecoveryMethodInfo } from '../../worker/keyHolder.ts'

/** Returns the name and the hint of a recovery method. */
export function methodTexts(
  { method }: Pick<RecoveryMethodInfo, 'method'>,
  { recoveryMethods: texts }: Messages,
): { name: string; hint: string } {
  if (method === 'auto') return { name: texts.auto, hint: texts.autoHint }
  if (method === 'password') return { name: texts.password, hint: texts.passwordHint }
  return { name: texts.passkey, hint: texts.passkeyHint }
}
