import { loadOnce } from '../../chain/loadOnce.ts'
import type { SettingsActions, SettingsActionsDependencies } from './settingsActions.ts'

/** Creates the actions of the settings, whose code loads with the first of them: a login needs none. */
export function createLazySettings(dependencies: SettingsActionsDependencies): SettingsActions {
  const load = loadOnce(async () => (await import('./settingsActions.ts')).createSettingsActions(dependencies))
  return {
    devices: async () => (await load()).devices(),
    revokeDevice: async (...device) => (await load()).revokeDevice(...device),
    signOutOthers: async () => (await load()).signOutOthers(),
    approveWaitingDevice: async (id, match) => (await load()).approveWaitingDevice(id, match),
    stopWaitingDevice: async (id) => (await load()).stopWaitingDevice(id),
    reveal: async () => (await load()).reveal(),
    recoveryFile: async (password) => (await load()).recoveryFile(password),
    requestDeletion: async () => (await load()).requestDeletion(),
    cancelDeletion: async () => (await load()).cancelDeletion(),
    updateEmail: async (request) => (await load()).updateEmail(request),
    updateEmailPrimary: async (code) => (await load()).updateEmailPrimary(code),
    awaitNewAddress: async () => (await load()).awaitNewAddress(),
    updateEmailSecondary: async (code) => (await load()).updateEmailSecondary(code),
    recoveryStatus: async () => (await load()).recoveryStatus(),
    rehearseRecovery: async (id, credential) => (await load()).rehearseRecovery(id, credential),
  }
}
