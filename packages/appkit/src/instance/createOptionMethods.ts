import type { ConnectMethod, Features, SocialProvider } from '@latchkey/core'
import { internalsOf, listConnectMethods } from '@latchkey/core/internal'
import type { AppKitFeatures, AppKitOptions, WalletFeature } from '../options/appKitOptions.ts'
import { resolveServices } from '../options/resolveServices.ts'
import { toChangeableOptions } from '../options/toLatchkeyOptions.ts'
import type { ThemeMode, ThemeVariables } from '../theme/themeVariables.ts'
import type { AppKitContext, ThemeState } from './appKitContext.ts'

/** The options that `updateOptions` can change. The others need a new instance. */
export type ChangeableOptions = Pick<
  AppKitOptions,
  | 'allWallets'
  | 'allowUnsupportedChain'
  | 'debug'
  | 'enableNetworkSwitch'
  | 'excludeWalletIds'
  | 'featuredWalletIds'
  | 'features'
  | 'includeWalletIds'
  | 'manualWCControl'
  | 'privacyPolicyUrl'
  | 'termsConditionsUrl'
>

export type OptionMethods = {
  getThemeMode(): ThemeMode | undefined
  setThemeMode(themeMode: ThemeMode): void
  getThemeVariables(): ThemeVariables
  /** Adds variables to the current ones. */
  setThemeVariables(themeVariables: ThemeVariables): void
  subscribeTheme(callback: (look: ThemeState) => void): () => void
  /** Changes features. A view that is open shows them when it is opened again; so do the other methods below. */
  updateFeatures(features: AppKitFeatures): void
  /** The same as `updateFeatures`: no cloud decides about features. */
  updateRemoteFeatures(features: AppKitFeatures): void
  getRemoteFeatures(): Features
  subscribeRemoteFeatures(callback: (features: Features) => void): () => void
  updateOptions(options: Partial<ChangeableOptions>): void
  setConnectMethodsOrder(order: readonly ConnectMethod[]): void
  getConnectMethodsOrder(): readonly ConnectMethod[]
  /** Has no effect: the actions of the account have a fixed order. */
  setWalletFeaturesOrder(order: readonly WalletFeature[]): void
  setCollapseWallets(collapseWallets: boolean): void
  setSocialsOrder(socials: readonly SocialProvider[]): void
  setTermsConditionsUrl(termsConditionsUrl: string): void
  setPrivacyPolicyUrl(privacyPolicyUrl: string): void
  getSIWX(): AppKitOptions['siwx']
}

/** Creates the methods that read and change the theme and the options. */
export function createOptionMethods({ latchkey, options, look }: AppKitContext): OptionMethods {
  const { settings } = internalsOf(latchkey)
  function updateOptions(changes: Partial<ChangeableOptions>): void {
    const { features, ...others } = changes
    const before = options.getState()
    options.setState({ ...before, ...others, features: { ...before.features, ...features } }, true)
    const changed = toChangeableOptions(options.getState(), resolveServices(options.getState().latchkey))
    // Views read these options when they open.
    Object.assign(settings, { ...changed, features: { ...settings.features, ...changed.features } })
  }
  const updateFeatures = (features: AppKitFeatures): void => updateOptions({ features })
  return {
    getThemeMode: () => look.getState().themeMode,
    setThemeMode: (themeMode) => look.setState({ themeMode }),
    getThemeVariables: () => look.getState().themeVariables,
    setThemeVariables: (changes) =>
      look.setState(({ themeVariables }) => ({ themeVariables: { ...themeVariables, ...changes } })),
    subscribeTheme: (callback) => look.subscribe((state) => callback(state)),
    updateFeatures,
    updateRemoteFeatures: updateFeatures,
    getRemoteFeatures: () => settings.features,
    subscribeRemoteFeatures: (callback) => options.subscribe(() => callback(settings.features)),
    updateOptions,
    setConnectMethodsOrder: (connectMethodsOrder) => updateFeatures({ connectMethodsOrder }),
    getConnectMethodsOrder: () => listConnectMethods(latchkey),
    setWalletFeaturesOrder() {},
    setCollapseWallets: (collapseWallets) => updateFeatures({ collapseWallets }),
    setSocialsOrder: (socials) => updateFeatures({ socials }),
    setTermsConditionsUrl: (termsConditionsUrl) => updateOptions({ termsConditionsUrl }),
    setPrivacyPolicyUrl: (privacyPolicyUrl) => updateOptions({ privacyPolicyUrl }),
    getSIWX: () => options.getState().siwx,
  }
}
