import type { Latchkey } from '@latchkey/core'
import { pushView, replaceView, type ViewEntry } from '@latchkey/modal'
import type { EmailAction } from '@latchkey/protocol'
import type { LoginConnector } from '../loginConnector.ts'
import { isOnShow, takeStep } from '../loginStep.ts'

/** Sends a one-time code by email, and shows the next view [R4.3.4]. */
export function beginEmailLogin(
  latchkey: Latchkey,
  connector: LoginConnector,
  view: 'Connect' | 'EmailLogin',
  email: string,
): void {
  void takeStep(latchkey, connector, view, async () => {
    const { action, match } = await connector.login.email(email)
    if (action === 'CONNECT') return true
    if (isOnShow(latchkey, view)) pushView(latchkey, verificationView(action, email, match))
    return false
  })
}

/** Returns the view that waits for the email. */
export function verificationView(action: Exclude<EmailAction, 'CONNECT'>, email: string, match?: string): ViewEntry {
  return action === 'VERIFY_OTP'
    ? { view: 'EmailVerifyOtp', params: { email } }
    : { view: 'EmailVerifyDevice', params: { email, match } }
}

/** Waits until the link in the email is approved, then shows the code view. */
export function awaitDeviceApproval(latchkey: Latchkey, connector: LoginConnector, email: string): void {
  void takeStep(latchkey, connector, 'EmailVerifyDevice', async (signal) => {
    await connector.login.device(signal)
    if (!signal.aborted) replaceView(latchkey, { view: 'EmailVerifyOtp', params: { email } })
    return false
  })
}
