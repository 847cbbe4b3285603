import { matches, otherChains, refusedFacts, unusable } from './walletDecisions.mjs'

/**
 * @typedef {'homepage' | 'rdns' | 'mobile' | 'desktop' | 'webapp' | 'universal' | 'chrome' | 'ios' | 'android'} Fact
 * @typedef {{ [fact in Fact]?: string | undefined }} Facts
 * @typedef {{ id: string, name: string, facts: Facts }} SourceWallet
 * @typedef {{ slug: string, name: string, namespaces: readonly string[] } & Facts} ListedWallet
 * @typedef {'thirdweb' | 'rainbowkit' | 'luno'} PackageName
 * @typedef {{ readonly [name in PackageName]: readonly SourceWallet[] }} Packages
 * @typedef {{ wallet: string, fact: Fact, chosen: string, values: Record<string, string> }} Contradiction
 */

/** @type {readonly Fact[]} */
const facts = ['homepage', 'rdns', 'mobile', 'desktop', 'webapp', 'universal', 'chrome', 'ios', 'android']
/** @type {readonly Fact[]} */
const ways = ['rdns', 'mobile', 'desktop', 'webapp', 'universal', 'chrome']
/**
 * Packages whose statement is preferred come first.
 *
 * @type {readonly PackageName[]}
 */
const packageNames = ['rainbowkit', 'thirdweb', 'luno']

/**
 * Merges the reviewed wallets with those of packages. Reviewed wallets keep their order and come first; further ones follow in the
 * order of their use.
 *
 * @param {readonly ListedWallet[]} reviewed
 * @param {Packages} packages
 * @param {number} most the length of the list
 */
export function mergeWallets(reviewed, packages, most) {
  /** @type {Set<SourceWallet>} */
  const used = new Set()
  const known = reviewed.map((wallet) => mergeWallet(wallet, packages, used))
  const usable = known.filter(({ wallet }) => isConnectable(wallet))
  const refused = new Set([...unusable, ...otherChains])
  const names = new Set(usable.map(({ wallet }) => wallet.name.toLowerCase()))
  const slugs = new Set(reviewed.map(({ slug }) => slug))
  const added = packages.thirdweb
    .filter((source) => !used.has(source) && !refused.has(source.name))
    .map((source) => ({ source, slug: toSlug(source.name) }))
    .filter(({ source, slug }) => !takesPlace(names, source.name.toLowerCase()) && !takesPlace(slugs, slug))
    .filter(({ source }) => source.name.length <= 40 && source.facts.homepage !== undefined)
    .map(({ source, slug }) => mergeWallet({ slug, name: source.name, namespaces: ['eip155'] }, packages, used))
    .filter(({ wallet: { mobile, rdns, chrome } }) => [mobile, rdns, chrome].some((way) => way !== undefined))
    .slice(0, Math.max(0, most - usable.length))
  const all = withUniqueRdns([...usable, ...added])
  return {
    wallets: all.map(({ wallet }) => wallet),
    sources: Object.fromEntries(all.map(({ wallet, sources, thirdweb }) => [wallet.slug, { thirdweb, ...sources }])),
    contradictions: all.flatMap(({ contradictions }) => contradictions),
    dropped: known.filter(({ wallet }) => !isConnectable(wallet)).map(({ wallet }) => wallet.slug),
  }
}

/** @param {ListedWallet} wallet */
function isConnectable(wallet) {
  return ways.some((way) => wallet[way] !== undefined)
}

/**
 * True if a value was there. It is there afterwards.
 *
 * @param {Set<string>} values
 * @param {string} value
 */
function takesPlace(values, value) {
  const isTaken = values.has(value)
  values.add(value)
  return isTaken
}

/**
 * A reverse-DNS name belongs to the first wallet that has it.
 *
 * @template {{ wallet: ListedWallet, sources: Record<string, string> }} T
 * @param {readonly T[]} all
 * @returns {readonly T[]}
 */
function withUniqueRdns(all) {
  /** @type {Set<string>} */
  const seen = new Set()
  return all.flatMap((merged) => {
    const { rdns, ...rest } = merged.wallet
    if (rdns === undefined || !takesPlace(seen, rdns)) return [merged]
    const { rdns: _, ...sources } = merged.sources
    return isConnectable(rest) ? [{ ...merged, wallet: rest, sources }] : []
  })
}

/**
 * @param {ListedWallet} own
 * @param {Packages} packages
 * @param {Set<SourceWallet>} used entries of packages that belong to a wallet
 */
function mergeWallet(own, packages, used) {
  /** @type {Contradiction[]} */
  const contradictions = []
  /** @type {Record<string, string>} */
  const sources = {}
  const found = packageNames.flatMap((name) => {
    const entry = findEntry(own, name, packages[name])
    if (entry !== undefined) used.add(entry)
    return entry === undefined ? [] : [{ name, entry }]
  })
  /** @type {ListedWallet} */
  const wallet = { slug: own.slug, name: own.name, namespaces: own.namespaces }
  for (const fact of facts) {
    const isRefused = refusedFacts[own.slug]?.includes(fact) === true
    const stated = isRefused ? [] : found.map(({ name, entry }) => ({ name, value: entry.facts[fact] }))
    const values = [{ name: 'reviewed', value: own[fact] }, ...stated].flatMap(({ name, value }) =>
      value === undefined ? [] : [{ name, value }],
    )
    const chosen = chooseValue(values)
    if (chosen === undefined || (fact === 'universal' && !isNeeded(own, wallet))) continue
    wallet[fact] = chosen
    sources[fact] = values
      .filter(({ value }) => isSame(value, chosen))
      .map(({ name }) => name)
      .join(' ')
    const isWay = fact === 'rdns' || fact === 'mobile' || fact === 'desktop'
    if (isWay && values.some(({ value }) => !isSame(value, chosen))) {
      const stated = Object.fromEntries(values.map(({ name, value }) => [name, value]))
      contradictions.push({ wallet: own.slug, fact, chosen, values: stated })
    }
  }
  const thirdweb = found.find(({ name }) => name === 'thirdweb')?.entry.id
  return { wallet, sources, contradictions, thirdweb }
}

/**
 * A web address that opens an app is only taken over if nothing else opens it. In doubt, it shows a page instead of the app.
 *
 * @param {ListedWallet} own
 * @param {ListedWallet} wallet
 */
function isNeeded(own, wallet) {
  return own.universal !== undefined || (wallet.mobile === undefined && wallet.rdns === undefined)
}

/**
 * Two packages that agree outweigh one review. Otherwise the order of the values decides.
 *
 * @param {readonly { name: string, value: string }[]} values
 */
function chooseValue(values) {
  const [first, ...rest] = values
  const agreed = rest.find(({ name, value }) => rest.some((other) => other.name !== name && isSame(other.value, value)))
  return agreed === undefined || first?.name !== 'reviewed' || isSame(agreed.value, first.value)
    ? first?.value
    : agreed.value
}

/**
 * @param {string} one
 * @param {string} other
 */
function isSame(one, other) {
  const idOf = (/** @type {string} */ link) => /(?:\/|id=)([\w.]+)\/?$/.exec(link.replace(/\/+$/, ''))?.[1] ?? link
  return one.startsWith('https://') && other.startsWith('https://') ? idOf(one) === idOf(other) : one === other
}

/**
 * @param {ListedWallet} own
 * @param {PackageName} name
 * @param {readonly SourceWallet[]} entries
 */
function findEntry(own, name, entries) {
  const decided = /** @type {Record<string, Partial<Record<PackageName, string>>>} */ (matches)[own.slug]?.[name]
  if (decided !== undefined) return entries.find(({ id }) => id === decided)
  return (
    entries.find(({ facts: { rdns }, id }) => own.rdns !== undefined && (rdns === own.rdns || id === own.rdns)) ??
    entries.find((entry) => toKey(own.name) !== '' && toKey(entry.name) === toKey(own.name)) ??
    entries.find(({ facts: { homepage } }) => hostOf(homepage) !== '' && hostOf(homepage) === hostOf(own.homepage))
  )
}

/** @param {string} name */
function toKey(name) {
  return name.toLowerCase().replaceAll(/wallet|mobile|crypto|web3|[^\p{L}\p{N}]/gu, '')
}

/** @param {string | undefined} page */
function hostOf(page) {
  return page === undefined ? '' : new URL(page).hostname.replace(/^(?:www|wallet|app)\./, '')
}

/** @param {string} name */
function toSlug(name) {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return words.replace(/-wallet$/, '') || words
}
