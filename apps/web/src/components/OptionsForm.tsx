import { buttonTexts } from '@latchkey/react'
import type { ReactElement } from 'react'
import type { SiteConfig } from '../app/siteConfig.ts'
import type { PlaygroundOptions } from '../app/playgroundOptions.ts'
import { useHydrated } from '../app/useHydrated.ts'
import { Choice } from './fields/Choice.tsx'
import { Section } from './fields/Section.tsx'
import { Select } from './fields/Select.tsx'
import { Switch } from './fields/Switch.tsx'

type OptionsFormProps = {
  config: SiteConfig
  options: PlaygroundOptions
  onChange: (options: PlaygroundOptions) => void
}

type SectionProps = { options: PlaygroundOptions; set: (change: Partial<PlaygroundOptions>) => void }

const hues: ReadonlyArray<[string, number | undefined]> = [
  ['Latchkey', undefined],
  ['Sea', 230],
  ['Moss', 150],
  ['Amber', 60],
  ['Rose', 10],
]

/** The languages by their own names. */
const languages: ReadonlyArray<readonly [string, string]> = [
  ['auto', 'Browser language'],
  ...Object.keys(buttonTexts).map((tag) => [tag, getLanguageName(tag)] as const),
]

/** The form for all options. The most common sections are open. */
export function OptionsForm({ config, options, onChange }: OptionsFormProps): ReactElement {
  const isHydrated = useHydrated()
  const set = (change: Partial<PlaygroundOptions>): void => onChange({ ...options, ...change })
  return (
    // A choice that is made before the code has loaded would be lost.
    <form className="card" aria-label="Options" inert={!isHydrated} onSubmit={(event) => event.preventDefault()}>
      <Section title="Appearance" open>
        <Appearance options={options} set={set} />
      </Section>
      <Section title="Networks" open>
        <Networks config={config} options={options} set={set} />
      </Section>
      <Section title="Wallets">
        <Wallets options={options} set={set} />
      </Section>
      <Section title="Login methods">
        <LoginMethods options={options} set={set} />
      </Section>
      <Section title="Terms">
        <Switch label="Terms and privacy policy" checked={options.terms} onChange={(terms) => set({ terms })} />
        <Switch
          label="Require consent by checkbox"
          checked={options.legalCheckbox}
          onChange={(legalCheckbox) => set({ legalCheckbox })}
        />
      </Section>
    </form>
  )
}

function Appearance({ options, set }: SectionProps): ReactElement {
  return (
    <>
      <Choice
        legend="Theme"
        value={options.theme}
        choices={{ system: 'System', light: 'Light', dark: 'Dark' }}
        onChange={(theme) => set({ theme })}
      />
      <Select label="Language" value={options.locale} choices={languages} onChange={(locale) => set({ locale })} />
      <fieldset>
        <legend>Accent</legend>
        <div className="segments">
          {hues.map(([name, hue]) => (
            <label key={name}>
              <input type="radio" name="hue" checked={options.hue === hue} onChange={() => set({ hue })} />
              {name}
            </label>
          ))}
        </div>
      </fieldset>
      <label>
        <span>
          Corner radius <output>{options.radius} px</output>
        </span>
        <input
          type="range"
          min={0}
          max={32}
          step={4}
          value={options.radius}
          onChange={(event) => set({ radius: Number(event.target.value) })}
        />
      </label>
      <Switch label="Phone layout" checked={options.onPhone} onChange={(onPhone) => set({ onPhone })} />
    </>
  )
}

function Networks({ config, options, set }: SectionProps & { config: SiteConfig }): ReactElement {
  return (
    <>
      {config.networks.map(({ caipNetworkId, name }) => (
        <Switch
          key={caipNetworkId}
          label={name}
          checked={options.networks.includes(caipNetworkId)}
          onChange={() => set({ networks: toggleNetwork(options.networks, caipNetworkId) })}
        />
      ))}
      <Switch
        label="Users can change networks"
        checked={options.networkSwitch}
        onChange={(networkSwitch) => set({ networkSwitch })}
      />
      <Choice
        legend="Unsupported network"
        value={options.unsupportedNetworks}
        choices={{ require: 'Require a switch', inform: 'Show a notice', ignore: 'Ignore' }}
        onChange={(unsupportedNetworks) => set({ unsupportedNetworks })}
      />
    </>
  )
}

function Wallets({ options, set }: SectionProps): ReactElement {
  return (
    <>
      <Switch label="Phone wallets" checked={options.phoneWallets} onChange={(phoneWallets) => set({ phoneWallets })} />
      <Switch
        label="Wallet list from the server"
        checked={options.walletList}
        onChange={(walletList) => set({ walletList })}
      />
      <Choice
        legend="All wallets button"
        value={options.allWallets === 'mobile' ? 'mobile' : options.allWallets ? 'always' : 'never'}
        choices={{ always: 'Always', mobile: 'On phones', never: 'Never' }}
        onChange={(choice) => set({ allWallets: choice === 'mobile' ? 'mobile' : choice === 'always' })}
      />
      <Switch
        label="Installed wallets first"
        checked={options.installedFirst}
        onChange={(installedFirst) => set({ installedFirst })}
      />
      <label>
        Hidden wallets, by name
        <input
          value={options.excluded}
          placeholder="MetaMask, Rainbow"
          autoComplete="off"
          onChange={(event) => set({ excluded: event.target.value })}
        />
      </label>
      <Switch
        label="Several wallets at once"
        checked={options.multiWallet}
        onChange={(multiWallet) => set({ multiWallet })}
      />
      <Switch
        label="Connect all chains of a wallet at once"
        checked={options.connectAllNamespaces}
        onChange={(connectAllNamespaces) => set({ connectAllNamespaces })}
      />
      <Choice
        legend="Sign-in"
        value={options.signIn}
        choices={{ off: 'Off', optional: 'Optional', required: 'Required' }}
        onChange={(signIn) => set({ signIn })}
      />
    </>
  )
}

function LoginMethods({ options, set }: SectionProps): ReactElement {
  return (
    <>
      <Choice
        legend="Order"
        value={options.methodOrder}
        choices={{ auto: 'Automatic', wallets: 'Wallets first', logins: 'Logins first' }}
        onChange={(methodOrder) => set({ methodOrder })}
      />
      <Switch label="E-mail" checked={options.email} onChange={(email) => set({ email })} />
      <Switch label="Social logins" checked={options.socials} onChange={(socials) => set({ socials })} />
      <Switch
        label="Wallets behind one button"
        checked={options.collapseWallets}
        onChange={(collapseWallets) => set({ collapseWallets })}
      />
      <p className="hint">E-mail and social logins require the embedded wallet.</p>
    </>
  )
}

/** Toggles a network. At least one stays selected. */
function toggleNetwork(chosen: readonly string[], id: string): readonly string[] {
  if (!chosen.includes(id)) return [...chosen, id]
  return chosen.length === 1 ? chosen : chosen.filter((other) => other !== id)
}

function getLanguageName(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}
