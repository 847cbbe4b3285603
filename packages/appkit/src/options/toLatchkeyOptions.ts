import type { AppMetadata, Connector, Features, LatchkeyOptions } from '@latchkey/core'
import { embedded } from '@latchkey/embedded'
import type { WalletListEntry } from '@latchkey/protocol'
import { walletConnect } from '@latchkey/walletconnect'
import { toCaipNetwork } from '../network/appKitNetwork.ts'
import { toWalletId } from '../wallets/walletIds.ts'
import type { AppKitFeatures, AppKitOptions, CustomWallet } from './appKitOptions.ts'
import { createAdapters } from './createAdapters.ts'
import { resolveServices, type Services } from './resolveServices.ts'

/** Converts the options of an app to those of `createLatchkey`. */
export function toLatchkeyOptions(options: AppKitOptions): LatchkeyOptions {
  const { projectId, defaultNetwork, siwx, siweConfig, defaultAccountTypes, features } = options
  const services = resolveServices(options.latchkey)
  return {
    ...toChangeableOptions(options, services),
    adapters: createAdapters(options),
    connectors: createConnectors(options, services),
    server: services.server,
    projectId: projectId === '' ? undefined : projectId,
    defaultNetwork: defaultNetwork === undefined ? undefined : toCaipNetwork(defaultNetwork).caipNetworkId,
    customWallets: options.customWallets?.map(toListEntry),
    connectorOrder: toConnectorOrder(features?.connectorTypeOrder),
    accountTypes: defaultAccountTypes,
    siwx,
    siweConfig,
    storage: options.latchkey?.storage,
  }
}

/** The options that can change later. */
type Changeable = Required<
  Pick<
    LatchkeyOptions,
    'enableNetworkSwitch' | 'excludeWallets' | 'featuredWallets' | 'features' | 'legal' | 'unsupportedNetworks'
  >
> &
  Pick<LatchkeyOptions, 'connectMethodOrder' | 'includeWallets'>

/** Converts the options that `updateOptions` can change. */
export function toChangeableOptions(options: AppKitOptions, services: Services): Changeable {
  const { termsConditionsUrl: termsUrl, privacyPolicyUrl: privacyUrl, allowUnsupportedChain = false } = options
  return {
    enableNetworkSwitch: options.enableNetworkSwitch ?? true,
    excludeWallets: toExcludedWallets(options),
    includeWallets: options.includeWalletIds?.map(toWalletId),
    featuredWallets: options.featuredWalletIds?.map(toWalletId) ?? [],
    features: toFeatures(options, services),
    connectMethodOrder: options.features?.connectMethodsOrder,
    legal: { termsUrl, privacyUrl },
    unsupportedNetworks: allowUnsupportedChain ? 'ignore' : 'require',
  }
}

/** Returns the features that are shown. `basic` leaves out those of the account. */
function toFeatures(options: AppKitOptions, { frame }: Services): Partial<Features> {
  const { allWallets, basic = false } = options
  const shown = toShownFeatures(options.features)
  const rows: Record<'SHOW' | 'HIDE' | 'ONLY_MOBILE', Features['allWallets']> = {
    SHOW: true,
    HIDE: false,
    ONLY_MOBILE: 'mobile',
  }
  return {
    ...shown,
    ...(allWallets === undefined ? {} : { allWallets: rows[allWallets] }),
    ...(options.enableWallets === false ? { allWallets: false } : {}),
    ...(frame === undefined ? { email: false, socials: false } : {}),
    ...(basic ? { swaps: false, onramp: false, receive: false, send: false, history: false } : {}),
  }
}

/** Converts the features that Latchkey has, too. An empty list of providers disables a feature. */
function toShownFeatures(features: AppKitFeatures = {}): Partial<Features> {
  const isOn = (value: boolean | readonly string[] | undefined): boolean | undefined =>
    typeof value === 'object' ? value.length > 0 : value
  const { socials } = features
  const shown = {
    swaps: isOn(features.swaps),
    onramp: isOn(features.onramp),
    receive: features.receive,
    send: features.send,
    email: features.email,
    socials: socials !== undefined && socials !== false && socials.length === 0 ? false : socials,
    history: features.history,
    allWallets: features.allWallets,
    legalCheckbox: features.legalCheckbox,
    smartSessions: features.smartSessions,
    collapseWallets: features.collapseWallets,
  } satisfies { [name in keyof Features]: Features[name] | undefined }
  // An undefined value would replace a default.
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined))
}

/** The groups that the app lists come first, the others follow. */
function toConnectorOrder(order: LatchkeyOptions['connectorOrder']): LatchkeyOptions['connectorOrder'] {
  const all = ['walletConnect', 'recent', 'injected', 'featured', 'custom', 'external', 'recommended'] as const
  return order === undefined ? undefined : [...order, ...all.filter((group) => !order.includes(group))]
}

function toExcludedWallets({ excludeWalletIds = [], enableCoinbase = true }: AppKitOptions): readonly string[] {
  return [...excludeWalletIds, ...(enableCoinbase ? [] : ['coinbase'])].map(toWalletId)
}

/** Custom wallets of AppKit have no networks: they are offered for all. */
function toListEntry({ image_url, ...wallet }: CustomWallet): WalletListEntry {
  return { ...wallet, image_id: '', chains: [], ...(image_url === undefined ? {} : { image_url }) }
}

function createConnectors(options: AppKitOptions, { relayUrl, frame }: Services): readonly Connector[] {
  const { projectId, enableWalletConnect = true, enableAuthLogger = false } = options
  const socials = options.features?.socials
  const isPhone = relayUrl !== undefined && enableWalletConnect && projectId !== ''
  return [
    ...(isPhone ? [walletConnect({ relayUrl, projectId, metadata: toMetadata(options.metadata) })] : []),
    ...(frame === undefined || projectId === ''
      ? []
      : [
          embedded({
            frame,
            projectId,
            enableLogger: enableAuthLogger,
            socials: socials === false ? [] : socials,
          }),
        ]),
  ]
}

/** Returns the app's metadata, completed from the page. */
function toMetadata(metadata: Partial<AppMetadata> = {}): AppMetadata & { description: string; icons: string[] } {
  const { name, description, url, icons } = metadata
  if (typeof document === 'undefined') {
    return { name: name ?? '', description: description ?? '', url: url ?? '', icons: [...(icons ?? [])] }
  }
  const described = document.querySelector<HTMLMetaElement>('meta[property="og:description"]')?.content
  const icon = document.querySelector<HTMLLinkElement>('link[rel~="icon"]')?.href
  return {
    name: name ?? document.title,
    description: description ?? described ?? '',
    url: url ?? location.origin,
    icons: [...(icons ?? (icon === undefined ? [] : [icon]))],
  }
}
