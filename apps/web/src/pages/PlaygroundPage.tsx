import { LatchkeyEmbed } from '@latchkey/react'
import type { ReactElement } from 'react'
import type { SiteConfig } from '../app/config.ts'
import type { PlaygroundOptions } from '../app/options.ts'
import { writeCode } from '../app/writeCode.ts'
import { CodeBlock } from '../parts/CodeBlock.tsx'

type PlaygroundPageProps = {
  config: SiteConfig
  options: PlaygroundOptions
  onChange: (options: PlaygroundOptions) => void
}

const hues: ReadonlyArray<[string, number | undefined]> = [
  ['Latchkey', undefined],
  ['Sea', 230],
  ['Moss', 150],
  ['Amber', 60],
  ['Rose', 10],
]

/** Every option changes the modal beside it, and the code for it, at once. */
export default function PlaygroundPage({ config, options, onChange }: PlaygroundPageProps): ReactElement {
  const set = (change: Partial<PlaygroundOptions>): void => onChange({ ...options, ...change })
  return (
    <div className="page">
      <h1>Playground</h1>
      <div className="playground">
        <form className="card" aria-label="Options" onSubmit={(event) => event.preventDefault()}>
          <Choice
            legend="Theme"
            value={options.theme}
            choices={{ system: 'System', light: 'Light', dark: 'Dark' }}
            onChange={(theme) => set({ theme })}
          />
          <Choice
            legend="Language"
            value={options.locale}
            choices={{ en: 'English', de: 'Deutsch' }}
            onChange={(locale) => set({ locale })}
          />
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
          <Switch
            label="Phone wallets"
            checked={options.phoneWallets}
            onChange={(phoneWallets) => set({ phoneWallets })}
          />
          <Switch
            label="Wallet list of the server"
            checked={options.walletList}
            onChange={(walletList) => set({ walletList })}
          />
          <Switch
            label="Allow other networks"
            checked={options.allowUnsupportedNetworks}
            onChange={(allowUnsupportedNetworks) => set({ allowUnsupportedNetworks })}
          />
          <fieldset>
            <legend>Networks</legend>
            {config.networks.map(({ caipNetworkId, name }) => (
              <Switch
                key={caipNetworkId}
                label={name}
                checked={options.networks.includes(caipNetworkId)}
                onChange={() => set({ networks: toggle(options.networks, caipNetworkId) })}
              />
            ))}
          </fieldset>
        </form>
        <div className="playground-stage">
          <LatchkeyEmbed />
        </div>
      </div>
      <CodeBlock label="This configuration" code={writeCode(config, options)} />
    </div>
  )
}

type ChoiceProps<value extends string> = {
  legend: string
  value: value
  choices: { readonly [choice in value]: string }
  onChange: (value: value) => void
}

function Choice<value extends string>({ legend, value, choices, onChange }: ChoiceProps<value>): ReactElement {
  // Object.entries forgets the literal keys that the type of `choices` demands.
  const entries = Object.entries(choices) as Array<[value, string]>
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div className="segments">
        {entries.map(([choice, name]) => (
          <label key={choice}>
            <input type="radio" name={legend} checked={value === choice} onChange={() => onChange(choice)} />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

type SwitchProps = { label: string; checked: boolean; onChange: (checked: boolean) => void }

function Switch({ label, checked, onChange }: SwitchProps): ReactElement {
  return (
    <label className="switch">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  )
}

/** At least one network stays chosen. */
function toggle(chosen: readonly string[], id: string): readonly string[] {
  if (!chosen.includes(id)) return [...chosen, id]
  return chosen.length === 1 ? chosen : chosen.filter((other) => other !== id)
}
