import type {
  Abi,
  AbiFunction,
  AbiParameter,
  AbiParameterToPrimitiveType,
  AbiParametersToPrimitiveTypes,
  AbiStateMutability,
  ExtractAbiFunction,
  ExtractAbiFunctionNames,
  TypedData,
  TypedDataDomain,
  TypedDataToPrimitiveTypes,
} from 'abitype'
import type { ContractCall, ContractCallResult } from '../contracts/smartContracts.ts'

/** An ABI that is known at compile time, or one whose type is not known. */
export type AnyAbi = Abi | readonly unknown[]

/** The functions that don't change the chain. */
export type ReadMutability = 'view' | 'pure'
/** The functions that need a transaction. */
export type WriteMutability = 'nonpayable' | 'payable'

type KnownAbi<abi extends AnyAbi> = abi extends Abi ? abi : Abi

/** The names of the functions of an ABI. Any string if the ABI is not known at compile time. */
export type FunctionNames<abi extends AnyAbi, mutability extends AbiStateMutability> =
  ExtractAbiFunctionNames<KnownAbi<abi>, mutability> extends infer name extends string
    ? [name] extends [never]
      ? string
      : name
    : string

/** The arguments of a function: one tuple for each overload. */
export type FunctionArgs<abi extends AnyAbi, mutability extends AbiStateMutability, name extends string> =
  AbiParametersToPrimitiveTypes<
    ExtractAbiFunction<KnownAbi<abi>, name, mutability>['inputs'],
    'inputs'
  > extends infer args extends readonly unknown[]
    ? [args] extends [never]
      ? readonly unknown[]
      : args
    : readonly unknown[]

/** The overloads of a function that take some arguments. */
type FunctionWithArgs<fn extends AbiFunction, args> = fn extends AbiFunction
  ? args extends AbiParametersToPrimitiveTypes<fn['inputs'], 'inputs'>
    ? fn
    : never
  : never

type ResultOf<outputs extends readonly AbiParameter[]> = outputs extends readonly []
  ? undefined
  : outputs extends readonly [infer only extends AbiParameter]
    ? AbiParameterToPrimitiveType<only, 'outputs'>
    : AbiParametersToPrimitiveTypes<outputs, 'outputs'>

/** The decoded result of a function. Unknown if the ABI is not known at compile time. */
export type FunctionResult<
  abi extends AnyAbi,
  name extends string,
  args = FunctionArgs<abi, ReadMutability, name>,
> = abi extends Abi
  ? Abi extends abi
    ? unknown
    : ResultOf<FunctionWithArgs<ExtractAbiFunction<abi, name, ReadMutability>, args>['outputs']>
  : unknown

/** A function without parameters has no arguments to pass. */
type ArgsField<args> = readonly [] extends args ? { readonly args?: args } : { readonly args: args }

/** The description of a call, typed by its ABI. */
export type ContractRequest<
  abi extends AnyAbi,
  mutability extends AbiStateMutability,
  name extends FunctionNames<abi, mutability>,
  args extends FunctionArgs<abi, mutability, name> = FunctionArgs<abi, mutability, name>,
> = {
  /** The interface of the contract, declared `as const` for typed results. */
  readonly abi: abi
  readonly address: string
  readonly functionName: name | FunctionNames<abi, mutability>
} & ArgsField<args>

/** Several calls, each typed by its ABI. */
export type ContractRequests<calls extends readonly ContractCall[]> = {
  readonly [index in keyof calls]: calls[index] extends {
    readonly abi: infer abi extends AnyAbi
    readonly functionName: infer name extends string
  }
    ? name extends FunctionNames<abi, ReadMutability>
      ? ContractRequest<abi, ReadMutability, name>
      : { readonly functionName: FunctionNames<abi, ReadMutability> }
    : ContractCall
}

/** The results of several calls, in their order. */
export type ContractResults<calls extends readonly ContractCall[]> = {
  readonly [index in keyof calls]: calls[index] extends {
    readonly abi: infer abi extends AnyAbi
    readonly functionName: infer name extends string
    readonly args?: infer args
  }
    ? ContractCallResult<
        FunctionResult<abi, name, unknown extends args ? FunctionArgs<abi, ReadMutability, name> : args>
      >
    : ContractCallResult
}

/** Structured data to sign (EIP-712), typed by its types. */
export type TypedDataRequest<
  types extends TypedData | Readonly<Record<string, unknown>>,
  primaryType extends string,
> = {
  readonly domain?: TypedDataDomain
  readonly types: types
  readonly primaryType: primaryType | (keyof types & string)
  readonly message: types extends TypedData
    ? TypedData extends types
      ? Readonly<Record<string, unknown>>
      : primaryType extends keyof types
        ? TypedDataToPrimitiveTypes<types>[primaryType]
        : never
    : Readonly<Record<string, unknown>>
}
