/** The content of a systemd unit. Paths are absolute. */
export interface ServiceUnit {
  /** The program and its arguments. */
  command: readonly string[];
  data: string;
  /** User of the server; undefined: systemd creates a dynamic user. */
  user: string | undefined;
  /** Files that the server reads besides its data: executable and config file. */
  files: readonly string[];
  /** A port below 1024 is used. */
  needsLowPort: boolean;
  /** The environment has to contain keys, passwords or webhook secrets. */
  needsKeys: boolean;
  /** The temporary folder is mounted `noexec`, so the SQLite driver cannot be unpacked there. */
  isTmpNoexec: boolean;
}

/** Where systemd creates state folders of services. */
const STATE = "/var/lib/";

/** Folders that the unit hides from the server. */
const HOMES = ["/home/", "/root/", "/run/user/"];
const TEMPORARY = ["/tmp/", "/var/tmp/"];

/** File for keys and passwords, one `NAME=value` per line. */
export const KEYS_FILE = "/etc/parley.env";

/** Draining takes up to 10 s and aborted turns 2 s more; the rest is for the final checkpoint on a slow disk. */
const STOP_SECONDS = 30;

/** Whether systemd can create the data folder for a dynamic user. */
export function isStateFolder(data: string): boolean {
  return data.startsWith(STATE) && data.length > STATE.length;
}

/** A unit that restricts the server to its data and its network. Pure. */
export function formatServiceUnit(unit: ServiceUnit): string {
  return [
    ["Unit", [...IDENTITY]] as const,
    [
      "Service",
      [
        ...startLines(unit),
        "",
        ...whoLines(unit),
        "",
        ...folderLines(unit),
        "",
        ...SANDBOX,
        ...powerLines(unit),
      ],
    ] as const,
    ["Install", ["WantedBy=multi-user.target"]] as const,
  ]
    .map(([section, lines]) => [`[${section}]`, ...lines].join("\n"))
    .join("\n\n");
}

const IDENTITY = [
  "Description=Parley",
  "Wants=network-online.target",
  "After=network-online.target",
  "# It is started again however often it ends.",
  "StartLimitIntervalSec=0",
];

function startLines({ command, needsKeys }: ServiceUnit): string[] {
  return [
    "Type=exec",
    `ExecStart=${command.map(quoteArgument).join(" ")}`,
    "Restart=always",
    "RestartSec=5",
    "# Settings that are wrong stay wrong.",
    "RestartPreventExitStatus=2",
    "# SIGTERM finishes turns in flight, and writes the log back into the database.",
    `TimeoutStopSec=${STOP_SECONDS}`,
    "LimitNOFILE=65536",
    "# A core dump would hold visitors' messages.",
    "LimitCORE=0",
    ...(needsKeys
      ? [
          "# Keys, passwords and what webhooks are signed with, one NAME=value a line; root alone should read it.",
          `EnvironmentFile=${KEYS_FILE}`,
        ]
      : []),
  ];
}

function whoLines({ user, needsLowPort }: ServiceUnit): string[] {
  const capabilities = needsLowPort ? "CAP_NET_BIND_SERVICE" : "";
  return [
    ...(user === undefined ? ["DynamicUser=yes"] : [`User=${user}`]),
    "UMask=0077",
    `CapabilityBoundingSet=${capabilities}`,
    `AmbientCapabilities=${capabilities}`,
    "NoNewPrivileges=yes",
  ];
}

function folderLines({ data, files, isTmpNoexec }: ServiceUnit): string[] {
  const isState = isStateFolder(data);
  const hidden = [...HOMES, ...TEMPORARY];
  const isHidden = (path: string) => hidden.some((folder) => path.startsWith(folder));
  const needsHome = [data, ...files].some((path) => HOMES.some((folder) => path.startsWith(folder)));
  const shown = files.filter(isHidden).map((path) => `BindReadOnlyPaths=${quotePath(path)}`);
  return [
    ...(isState
      ? [`StateDirectory=${quotePath(data.slice(STATE.length))}`, "StateDirectoryMode=0700"]
      : [...(isHidden(data) ? [`BindPaths=${quotePath(data)}`] : []), `ReadWritePaths=${quotePath(data)}`]),
    // This setting takes the rest of the line literally; quotes would become part of the path.
    `WorkingDirectory=${data.replaceAll("%", "%%")}`,
    "ProtectSystem=strict",
    `ProtectHome=${needsHome ? "tmpfs" : "yes"}`,
    "# The SQLite driver is unpacked to the temporary folder, and loaded from there.",
    "PrivateTmp=yes",
    ...(isTmpNoexec
      ? ["CacheDirectory=parley", "CacheDirectoryMode=0700", "Environment=BUN_TMPDIR=/var/cache/parley"]
      : []),
    ...shown,
  ];
}

const SANDBOX = [
  "PrivateDevices=yes",
  "ProtectClock=yes",
  "ProtectControlGroups=yes",
  "ProtectHostname=yes",
  "ProtectKernelLogs=yes",
  "ProtectKernelModules=yes",
  "ProtectKernelTunables=yes",
  "ProtectProc=invisible",
  "LockPersonality=yes",
  "RemoveIPC=yes",
  "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
  "RestrictNamespaces=yes",
  "RestrictRealtime=yes",
  "RestrictSUIDSGID=yes",
  "SystemCallArchitectures=native",
  "SystemCallFilter=@system-service",
  "SystemCallErrorNumber=EPERM",
  "# Never yes: it would silently turn the JIT off, and Parley would be some twenty times slower.",
  "MemoryDenyWriteExecute=no",
];

/** A private user namespace does not permit low ports. */
function powerLines({ needsLowPort }: ServiceUnit): string[] {
  return needsLowPort ? [] : ["PrivateUsers=yes"];
}

/** One word of a systemd command line, with `%` and `$` escaped. */
export function quoteArgument(word: string): string {
  const literal = word.replaceAll("%", "%%").replaceAll("$", "$$$$");
  if (/^[\w@%+=:,./$[\]-]+$/.test(literal)) return literal;
  return `"${literal.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}

/** A path as the value of a setting. */
function quotePath(path: string): string {
  const literal = path.replaceAll("%", "%%");
  return /\s/.test(literal) ? `"${literal.replaceAll(/["\\]/g, "\\$&")}"` : literal;
}
