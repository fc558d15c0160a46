/** What a systemd unit is made from. Paths are absolute. */
export interface ServiceUnit {
  /** The program and its arguments. */
  command: readonly string[];
  data: string;
  /** Who the server runs as; undefined: a user that systemd makes for it. */
  user: string | undefined;
  /** What the server reads beside its data: the executable, the config file. */
  files: readonly string[];
  /** A port below 1024 is listened on. */
  needsLowPort: boolean;
  /** Keys, passwords and secrets of webhooks come from the environment. */
  needsKeys: boolean;
  /** Nothing in the temporary folder of this machine can be executed, and the SQLite driver is unpacked there. */
  isTmpNoexec: boolean;
}

/** Where systemd makes the folders of services. */
const STATE = "/var/lib/";

/** Folders that the unit hides from the server, with all that lies in them. */
const HOMES = ["/home/", "/root/", "/run/user/"];
const TEMPORARY = ["/tmp/", "/var/tmp/"];

/** Holds keys and passwords, one `NAME=value` a line. */
export const KEYS_FILE = "/etc/parley.env";

/** Draining takes 10 s, cut turns 2 s more; the rest is for a slow disk that takes in the write-ahead log. */
const STOP_SECONDS = 30;

/** Whether systemd can make the data folder for a user of its own making. */
export function isStateFolder(data: string): boolean {
  return data.startsWith(STATE) && data.length > STATE.length;
}

/** The text of a unit that lets the server reach its data, its network, and little else. Pure. */
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
    // This setting takes the rest of its line as it stands; quotes would be part of the path.
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

/** A user namespace of its own has no power over low ports. */
function powerLines({ needsLowPort }: ServiceUnit): string[] {
  return needsLowPort ? [] : ["PrivateUsers=yes"];
}

/** One word of a command line, as systemd splits it: `%` and `$` stand for themselves. */
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
