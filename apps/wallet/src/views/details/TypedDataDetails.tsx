import type { TypedDataSummary, TypedNode } from '../../namespaces/typedDataSummary.ts'
import { ReadableText } from '../components/ReadableText.tsx'

/** Shows structured data to sign: its type, its domain and every field. */
export function TypedDataDetails({ data, network }: { data: TypedDataSummary; network: string }) {
  return (
    <>
      {data.otherChain !== undefined && (
        <p className="caution">
          This data is for chain <ReadableText text={data.otherChain} />, but the request is for {network}. Sign it only
          if you expect this.
        </p>
      )}
      <section className="quote" aria-label="Data to sign">
        <h3>
          <ReadableText text={data.primaryType} />
        </h3>
        <Tree nodes={data.message} />
        <h3>Domain</h3>
        <Tree nodes={data.domain} />
      </section>
    </>
  )
}

function Tree({ nodes }: { nodes: readonly TypedNode[] }) {
  if (nodes.length === 0) return <p className="nothing">empty</p>
  return (
    <ul className="tree">
      {nodes.map((node) => (
        <li key={node.name}>
          <span className="tree-name">
            <ReadableText text={node.name} />
            <small>
              <ReadableText text={node.type} />
            </small>
          </span>
          {'members' in node ? <Tree nodes={node.members} /> : <ReadableText text={node.value} />}
        </li>
      ))}
    </ul>
  )
}
