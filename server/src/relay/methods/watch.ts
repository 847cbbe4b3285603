import type { Method } from './method.ts'

/** Begins to tell a service about the messages of the client that signed for it, whoever asks. */
export const watchRegister: Method = async ({ watches }, params) => {
  await watches.register(params['registerAuth'])
  return { result: { relayId: watches.identity.id } }
}

/** Ends that. */
export const watchUnregister: Method = async ({ watches }, params) => {
  await watches.unregister(params['unregisterAuth'])
  return { result: true }
}
